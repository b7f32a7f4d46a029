#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/test/count_allocations.h"
#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery {
namespace {

// A function with a graph of its own, called with x (and y) of the model.
class FunctionTest : public testing::Test {
 protected:
  FunctionTest() : function_(std::make_shared<Function>()) {
    function_->name = "f";
  }

  Expr Real(const std::string& name, Shape shape = {}) {
    return own_.Symbol({name, ValueType::kReal, std::move(shape)});
  }

  Expr Integer(const std::string& name) {
    return own_.Symbol({name, ValueType::kInteger, {}});
  }

  Expr Whole(double value) { return own_.Constant(value, ValueType::kInteger); }

  static Statement Set(Expr target, Expr value) {
    return {Assignment{target, {}, value}, {}};
  }

  // A tape with result := f(x).
  Tape Compile() {
    const Expr x = graph_.Symbol({"x", ValueType::kReal, {}});
    const Expr result = graph_.Symbol({"r", ValueType::kReal, {}});
    const std::array arguments = {x};
    TapeBuilder builder(graph_, {0, 1}, 2);
    const std::vector<TapeAssignment> assignments = {
        {result, graph_.Output(graph_.Call(function_, arguments), 0), {}}};
    builder.AddSection(assignments);
    return std::move(builder).Finish();
  }

  static double Run(const Tape& tape,
                    double x,
                    Tape::Outcome expected = Tape::Outcome::kDone) {
    std::vector<double> memory = tape.NewMemory();
    memory[0] = x;
    EXPECT_EQ(tape.Run(0, memory.data()), expected);
    return memory[1];
  }

  static Tape::Fault FaultAt(const Tape& tape, double x) {
    std::vector<double> memory = tape.NewMemory();
    memory[0] = x;
    return tape.FindFault(0, memory).value_or(Tape::Fault{});
  }

  ExprGraph own_;
  ExprGraph graph_;
  std::shared_ptr<Function> function_;
};

TEST_F(FunctionTest, StatementsRunInOrder) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr t = Real("t");
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->locals = {{t, x * 2.0}};
  function_->body = {Set(y, t + 1.0), Set(t, y * y), Set(y, t - x)};
  EXPECT_EQ(Run(Compile(), 3), 46);
}

Statements OfOneStatement(Statements statements) {
  const auto file = std::make_shared<const SourceFile>("f.mo", "");
  for (Statement& statement : statements) {
    statement.span.file = file;
  }
  return statements;
}

// A function whose outputs are x + 1, x + 2 and x + 3, counted in `calls`.
std::shared_ptr<const OpaqueFunction> CountedCall(int& calls) {
  auto function = std::make_shared<OpaqueFunction>();
  function->name = "counted";
  function->num_inputs = 1;
  function->num_outputs = 3;
  function->evaluate = [&calls](std::span<const double> inputs,
                                std::span<double> outputs) {
    ++calls;
    std::iota(outputs.begin(), outputs.end(), inputs[0] + 1);
  };
  return function;
}

TEST_F(FunctionTest, AStatementThatTakesSeveralOutputsMakesOneCall) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr t = Real("t");
  int calls = 0;
  const Expr call = own_.Opaque(CountedCall(calls), std::array{x});
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->locals = {{t, {}}};
  function_->body = OfOneStatement({Set(y, own_.Output(call, 0)),
                                    Set(t, own_.Output(call, 2)),
                                    Set(y, y * t)});
  EXPECT_EQ(Run(Compile(), 3), 4 * 6);
  EXPECT_EQ(calls, 1);
}

TEST_F(FunctionTest, TwoStatementsMakeACallEach) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr t = Real("t");
  int calls = 0;
  const Expr call = own_.Opaque(CountedCall(calls), std::array{x});
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->locals = {{t, {}}};
  function_->body = OfOneStatement(
      {Set(y, own_.Output(call, 0)), Set(t, own_.Output(call, 0))});
  function_->body.back().span.begin = 1;
  EXPECT_EQ(Run(Compile(), 3), 4);
  EXPECT_EQ(calls, 2);
}

TEST_F(FunctionTest, StatementsInARowShareACallThatGivesTheSameEachTime) {
  const auto inner = std::make_shared<Function>();
  const Expr a = Real("a");
  const Expr b = Real("b");
  inner->name = "inner";
  inner->inputs = {a};
  inner->outputs = {{b, {}}};
  inner->body = {Set(b, a * a)};
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr t = Real("t");
  const Expr value = own_.Output(own_.Call(inner, std::array{x}), 0);
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->locals = {{t, {}}};
  function_->body =
      OfOneStatement({Set(t, value + 1.0), Set(y, value * 2.0), Set(y, y + t)});
  function_->body[1].span.begin = 1;
  function_->body[2].span.begin = 2;
  const Tape tape = Compile();
  EXPECT_EQ(Run(tape, 3), 18 + 10);
  std::ptrdiff_t calls = 0;
  for (std::size_t i = 0; i < tape.num_functions(); ++i) {
    calls += std::ranges::count(
        tape.FunctionCode(i), TapeOp::kCall, &Tape::Instruction::op);
  }
  EXPECT_EQ(calls, 1);
}

// An external function may give another number each time.
TEST_F(FunctionTest, TwoVariablesThatStartWithACallMakeOneEach) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr t = Real("t");
  int calls = 0;
  const Expr call = own_.Opaque(CountedCall(calls), std::array{x});
  function_->inputs = {x};
  function_->outputs = {{y, own_.Output(call, 0)}};
  function_->locals = {{t, own_.Output(call, 0)}};
  function_->body = {Set(y, y * t)};
  EXPECT_EQ(Run(Compile(), 3), 4 * 4);
  EXPECT_EQ(calls, 2);
}

TEST_F(FunctionTest, IfTakesTheFirstBranchThatHolds) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->body = {
      {IfStatement{{{Less(x, 0), {Set(y, own_.Constant(-1))}},
                    {Less(x, 10), {Set(y, own_.Constant(1))}},
                    {own_.Boolean(true), {Set(y, own_.Constant(2))}}}},
       {}}};
  const Tape tape = Compile();
  EXPECT_EQ(Run(tape, -5), -1);
  EXPECT_EQ(Run(tape, 5), 1);
  EXPECT_EQ(Run(tape, 50), 2);
}

TEST_F(FunctionTest, ForCountsAndBreaks) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr i = own_.Iterator("i", {.start = 10, .step = -3, .count = 4});
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->body = {
      {ForStatement{
           i,
           {{IfStatement{{{Less(i, x), {{BreakStatement{}, {}}}}}}, {}},
            Set(y, y * 100.0 + i)}},
       {}}};
  const Tape tape = Compile();
  EXPECT_EQ(Run(tape, 0), 10070401);
  EXPECT_EQ(Run(tape, 5), 1007);
}

TEST_F(FunctionTest, ACopyOfALoopVariableLeavesItAsItIs) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr copy = Integer("copy");
  const Expr i = own_.Iterator("i", {.start = 1, .step = 1, .count = 3});
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->locals = {{copy, {}}};
  function_->body = {
      {ForStatement{i, {Set(copy, i), Set(y, y * 100.0 + copy * i)}}, {}}};
  EXPECT_EQ(Run(Compile(), 0), 10409);
}

TEST_F(FunctionTest, WhileRunsUntilItsConditionFails) {
  // Newton's square root.
  const Expr x = Real("x");
  const Expr y = Real("y");
  function_->inputs = {x};
  function_->outputs = {{y, x}};
  function_->body = {
      {WhileStatement{Less(1e-12, abs(y * y - x)), {Set(y, 0.5 * (y + x / y))}},
       {}}};
  EXPECT_DOUBLE_EQ(Run(Compile(), 2), 1.4142135623730951);
}

TEST_F(FunctionTest, ReturnLeavesAtOnce) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  function_->inputs = {x};
  function_->outputs = {{y, own_.Constant(1)}};
  function_->body = {
      {IfStatement{{{Less(x, 0), {{ReturnStatement{}, {}}}}}}, {}},
      Set(y, own_.Constant(2))};
  const Tape tape = Compile();
  EXPECT_EQ(Run(tape, -1), 1);
  EXPECT_EQ(Run(tape, 1), 2);
}

TEST_F(FunctionTest, LocalsStartAnewInEveryCall) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->body = {Set(y, y + x)};
  const Expr u = graph_.Symbol({"u", ValueType::kReal, {}});
  const Expr result = graph_.Symbol({"r", ValueType::kReal, {}});
  const auto call = [&](Expr argument) {
    return graph_.Output(graph_.Call(function_, std::array{argument}), 0);
  };
  TapeBuilder builder(graph_, {0, 1}, 2);
  const std::vector<TapeAssignment> assignments = {
      {result, call(call(u) + 1.0) + call(u), {}}};
  builder.AddSection(assignments);
  EXPECT_EQ(Run(std::move(builder).Finish(), 5), 11);
}

TEST_F(FunctionTest, ArraysAreSortedInPlace) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr v = Real("v", {4});
  const Expr t = Real("t");
  const Expr i = own_.Iterator("i", {.count = 3});
  const Expr j = own_.Iterator("j", {.count = 3});
  const auto at = [&](Expr k) {
    return own_.Index(v, std::array{k});
  };
  const Expr next = j + Whole(1);
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  const std::array start = {
      x, own_.Constant(3), own_.Constant(9), own_.Constant(1)};
  function_->locals = {{v, own_.MakeArray(start)}, {t, {}}};
  const Statements swap = {Set(t, at(j)),
                           {Assignment{v, {j}, at(next)}, {}},
                           {Assignment{v, {next}, t}, {}}};
  function_->body = {
      {ForStatement{
           i,
           {{ForStatement{j,
                          {{IfStatement{{{Less(at(next), at(j)), swap}}}, {}}}},
             {}}}},
       {}},
      Set(y,
          1000.0 * at(Whole(1)) + 100.0 * at(Whole(2)) + 10.0 * at(Whole(3)) +
              at(Whole(4)))};
  EXPECT_EQ(Run(Compile(), 7), 1379);
}

TEST_F(FunctionTest, AnArrayMayBeAssignedFromItself) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr v = Real("v", {3});
  const Expr i = own_.Iterator("i", {.count = 3});
  const Expr reversed =
      own_.Loop(Op::kBuild, i, own_.Index(v, std::array{Whole(4) - i}));
  const std::array start = {x, own_.Constant(2), own_.Constant(3)};
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->locals = {{v, own_.MakeArray(start)}};
  function_->body = {Set(v, reversed),
                     Set(y, own_.Index(v, std::array{Whole(3)}))};
  EXPECT_EQ(Run(Compile(), 7), 7);
}

TEST_F(FunctionTest, AnArrayWithoutElementsMayBeIndexedWhereItIsNotReached) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr k = Integer("k");
  const Expr v = Real("v", {0, 2});
  const Expr element = own_.Index(v, std::array{k, Whole(1)});
  function_->inputs = {x};
  function_->outputs = {{y, own_.Constant(5)}};
  function_->locals = {{k, Whole(1)}, {v, {}}};
  function_->body = {{IfStatement{{{Less(100, x), {Set(y, element)}}}}, {}}};
  const Tape tape = Compile();
  EXPECT_EQ(Run(tape, 1), 5);
  Run(tape, 101, Tape::Outcome::kSubscript);
}

TEST_F(FunctionTest, RecursionByStatementsWorks) {
  // y := if n <= 1 then 1 else n * f(n - 1) + 0 * f(n - 2).
  const Expr n = Real("n");
  const Expr y = Real("y");
  const auto call = [&](Expr argument) {
    return own_.Output(own_.Call(function_, std::array{argument}), 0);
  };
  function_->inputs = {n};
  function_->outputs = {{y, own_.Constant(1)}};
  function_->body = {
      {IfStatement{{{Less(1, n), {Set(y, call(n - 1.0) + call(n - 2.0))}}}},
       {}}};
  // Fibonacci numbers: f(20) = 10946.
  EXPECT_EQ(Run(Compile(), 20), 10946);
}

TEST_F(FunctionTest, RecursionByIfExpressionsWorks) {
  const Expr n = Real("n");
  const Expr y = Real("y");
  function_->inputs = {n};
  function_->outputs = {{y, {}}};
  const Expr rest = own_.Output(own_.Call(function_, std::array{n - 1.0}), 0);
  function_->body = {Set(y, select(Less(1, n), n * rest, 1.0))};
  EXPECT_EQ(Run(Compile(), 10), 3628800);
}

TEST_F(FunctionTest, ALongArrayThatIsSettledIsReadWhereItStands) {
  constexpr std::int64_t kSize = 50;
  const Expr v = Real("v", {kSize});
  const Expr k = Integer("k");
  const Expr y = Real("y");
  const auto element = std::make_shared<Function>(
      Function{.name = "element",
               .inputs = {v, k},
               .outputs = {{y, {}}},
               .locals = {},
               .body = {Set(y, own_.Index(v, std::array{k}))}});
  function_->inputs = {v, k};
  function_->outputs = {{y, {}}};
  function_->body = {
      Set(y, own_.Output(own_.Call(element, std::array{v, k}), 0))};
  // The second and the third row of a matrix: slots 50 to 149.
  const Expr matrix = graph_.Symbol({"m", ValueType::kReal, {3, kSize}});
  const Expr number = graph_.Symbol({"k", ValueType::kInteger, {}});
  std::vector<TapeAssignment> assignments;
  for (const int row : {2, 3}) {
    const Expr argument = graph_.Index(
        matrix, std::array{graph_.Constant(row, ValueType::kInteger)});
    const Expr result =
        graph_.Symbol({"r" + std::to_string(row), ValueType::kReal, {}});
    const Expr call = graph_.Call(function_, std::array{argument, number});
    assignments.push_back({result, graph_.Output(call, 0), {}});
  }
  for (const bool is_settled : {true, false}) {
    TapeBuilder builder(graph_, {0, 150, 151, 152}, 153);
    if (is_settled) {
      builder.Settle(matrix);
    }
    builder.AddSection(assignments);
    const Tape tape = std::move(builder).Finish();
    const bool copies =
        std::ranges::any_of(tape.CodeOf(0), [](const Tape::Instruction& i) {
          return i.op == TapeOp::kStore || i.op == TapeOp::kCopyArray;
        });
    EXPECT_EQ(copies, !is_settled);
    std::vector<double> memory = tape.NewMemory();
    std::iota(memory.begin(), memory.begin() + 150, 0);
    memory[150] = 7;
    EXPECT_EQ(tape.Run(0, memory.data()), Tape::Outcome::kDone);
    EXPECT_EQ(memory[151], 56);
    EXPECT_EQ(memory[152], 106);
  }
}

TEST_F(FunctionTest, EndlessRecursionEndsTheRun) {
  const Expr n = Real("n");
  const Expr y = Real("y");
  function_->inputs = {n};
  function_->outputs = {{y, {}}};
  function_->body = {
      Set(y, own_.Output(own_.Call(function_, std::array{n + 1.0}), 0))};
  const Tape tape = Compile();
  Run(tape, 1, Tape::Outcome::kTooDeep);
  EXPECT_EQ(FaultAt(tape, 1).message,
            "calls of recursive functions are nested too deeply");
}

TEST_F(FunctionTest, AnEndlessLoopEndsTheRun) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->body = {{WhileStatement{own_.Boolean(true), {}}, {}}};
  const Tape tape = Compile();
  Run(tape, 1, Tape::Outcome::kTooManyIterations);
}

TEST_F(FunctionTest, AnAssertionEndsTheRunWithItsMessage) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->body = {
      {AssertStatement{Less(0, x), "the pressure must be positive"}, {}},
      Set(y, log(x))};
  const Tape tape = Compile();
  EXPECT_EQ(Run(tape, 1), 0);
  Run(tape, -1, Tape::Outcome::kAssertion);
  EXPECT_EQ(FaultAt(tape, -1).message, "the pressure must be positive");
  EXPECT_EQ(FaultAt(tape, -1).function, "f");
}

TEST_F(FunctionTest, AnAssertionThatFailsWritesItsMessageFromTheValuesThere) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr twice = Real("twice");
  auto writer = std::make_shared<OpaqueFunction>();
  writer->name = "writer";
  writer->num_inputs = 2;
  writer->num_outputs = 1;
  writer->evaluate = [](std::span<const double> in, std::span<double>) {
    throw std::runtime_error(std::to_string(static_cast<int>(in[0])) + " and " +
                             std::to_string(static_cast<int>(in[1])));
  };
  const Expr thrown =
      own_.Output(own_.Opaque(writer, std::array{x, twice + 1.0}), 0);
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->locals = {{twice, {}}};
  function_->body = {
      Set(twice, 2 * x),
      {AssertStatement{
           .condition = Less(0, x), .message = {}, .writer = thrown},
       {}},
      Set(y, twice)};
  const Tape tape = Compile();
  EXPECT_EQ(Run(tape, 1), 2);
  Run(tape, -3, Tape::Outcome::kAssertion);
  EXPECT_EQ(FaultAt(tape, -3).message, "-3 and -5");
}

TEST_F(FunctionTest, AFaultInAFunctionNamesItAndItsFormula) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr root = sqrt(x);
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->body = {Set(y, root + 1.0)};
  const Tape::Fault fault = FaultAt(Compile(), -2);
  EXPECT_EQ(fault.message, "sqrt(-2) is not a real number");
  EXPECT_EQ(fault.function, "f");
  EXPECT_EQ(fault.node, root.id());
}

TEST_F(FunctionTest, SubscriptsOfTargetsAreChecked) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr k = Integer("k");
  const Expr v = Real("v", {3});
  function_->inputs = {x};
  function_->outputs = {{y, {}}};
  function_->locals = {{k, own_.Unary(Op::kSign, x)}, {v, {}}};
  function_->body = {{Assignment{v, {k * Whole(4)}, x}, {}}, Set(y, x)};
  const Tape tape = Compile();
  Run(tape, 1, Tape::Outcome::kSubscript);
  EXPECT_EQ(FaultAt(tape, 1).message,
            "subscript 4 is out of bounds: the dimension has 3 elements");
}

TEST_F(FunctionTest, CallsAllocateNothing) {
  const Expr n = Real("n");
  const Expr y = Real("y");
  const Expr v = Real("v", {10});
  function_->inputs = {n};
  function_->outputs = {{y, own_.Constant(1)}};
  function_->locals = {{v, {}}};
  function_->body = {
      {IfStatement{
           {{Less(1, n),
             {Set(y,
                  own_.Output(own_.Call(function_, std::array{n - 1.0}), 0) *
                      n)}}}},
       {}}};
  const Tape tape = Compile();
  std::vector<double> memory = tape.NewMemory();
  memory[0] = 5;
  const int before = CountAllocations();
  tape.Run(0, memory.data());
  EXPECT_EQ(CountAllocations(), before);
  EXPECT_EQ(memory[1], 120);
}

}  // namespace
}  // namespace orrery
