#include "orrery/codegen/native_code.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/test/evaluate.h"
#include "orrery/symbolic/test/random_formula.h"

namespace orrery {
namespace {

bool AreSame(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Runs a section both ways from the same memory; returns the difference.
std::string Difference(const Tape& tape,
                       NativeSection native,
                       std::size_t section,
                       std::vector<double> memory) {
  std::vector<double> other = memory;
  const Tape::Outcome outcome = tape.Run(section, memory.data());
  const auto found = static_cast<Tape::Outcome>(native(other.data()));
  if (outcome != found) {
    return "outcome " + std::to_string(static_cast<int>(found)) +
           " instead of " + std::to_string(static_cast<int>(outcome));
  }
  for (std::size_t slot = 0; slot < tape.num_slots(); ++slot) {
    if (!AreSame(memory[slot], other[slot])) {
      return "slot " + std::to_string(slot) + " is " +
             std::to_string(other[slot]) + " instead of " +
             std::to_string(memory[slot]);
    }
  }
  return "";
}

// Random operands, among them special ones for operations.
std::vector<double> DrawMemory(const Tape& tape, RandomStream& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double> special = {
      0.0,
      -0.0,
      1,
      -1,
      2,
      3,
      -2.5,
      0.5,
      1e300,
      -1e-310,
      kInfinity,
      -kInfinity,
      std::numeric_limits<double>::quiet_NaN()};
  std::vector<double> memory = tape.NewMemory();
  for (std::size_t slot = 0; slot < tape.num_slots(); ++slot) {
    const double draw = random.Uniform(0, 1);
    memory[slot] = draw < 0.3
                       ? special[static_cast<std::size_t>(
                             draw / 0.3 * static_cast<double>(special.size()))]
                       : 8 * random.Uniform(0, 1) - 4;
  }
  return memory;
}

// Runs all sections of a tape, from several memories each.
void ExpectSame(const std::shared_ptr<const Tape>& tape, int draws = 20) {
  const std::shared_ptr<NativeCode> code = MakeNativeCode(tape);
  RandomStream random(1, "memory");
  for (std::size_t section = 0; section < tape->num_sections(); ++section) {
    const NativeSection native = code->Make(section);
    for (int draw = 0; draw < draws; ++draw) {
      ASSERT_EQ(Difference(*tape, native, section, DrawMemory(*tape, random)),
                "")
          << "section " << section << ", draw " << draw;
    }
  }
}

void ExpectSame(const std::string& model) {
  ExpectSame(CompileText(model)->tape);
}

// One section, y[k] := formula k of x[1 ... 4].
std::shared_ptr<const Tape> TapeOf(ExprGraph& graph,
                                   const std::vector<Expr>& formulas) {
  std::vector<std::uint32_t> slots;
  std::vector<TapeAssignment> assignments;
  for (const Expr formula : formulas) {
    const std::string name = "y" + std::to_string(assignments.size());
    assignments.push_back(
        {graph.Symbol({name, ValueType::kReal, {}}), formula, {}});
  }
  for (std::uint32_t i = 0; i < graph.num_symbols(); ++i) {
    slots.push_back(i);
  }
  TapeBuilder builder(graph, slots, slots.size());
  builder.AddSection(assignments);
  return std::make_shared<const Tape>(std::move(builder).Finish());
}

std::vector<Expr> FourSymbols(ExprGraph& graph) {
  std::vector<Expr> symbols;
  for (int i = 0; i < 4; ++i) {
    symbols.push_back(
        graph.Symbol({"x" + std::to_string(i), ValueType::kReal, {}}));
  }
  return symbols;
}

std::vector<Op> OpsOfReals() {
  std::vector<Op> ops;
  for (int k = static_cast<int>(Op::kAbs); k < static_cast<int>(Op::kLess);
       ++k) {
    ops.push_back(static_cast<Op>(k));
  }
  ops.push_back(Op::kNegate);
  return ops;
}

TEST(NativeCodeTest, EveryOperationHasTheBitsOfTheInterpreter) {
  ExprGraph graph;
  const std::vector<Expr> x = FourSymbols(graph);
  std::vector<Expr> formulas;
  for (const Op op : OpsOfReals()) {
    formulas.push_back(ElementwiseOperands(op) == 1
                           ? graph.Unary(op, x[0])
                           : graph.Binary(op, x[0], x[1]));
  }
  const Expr p = Less(x[0], x[1]);
  const Expr q = Less(x[2], x[3]);
  for (const Expr truth : {p,
                           graph.Binary(Op::kLessEqual, x[0], x[1]),
                           graph.Binary(Op::kEqual, x[0], x[1]),
                           graph.Binary(Op::kNotEqual, x[0], x[1]),
                           graph.Unary(Op::kNot, p),
                           graph.Binary(Op::kAnd, p, q),
                           graph.Binary(Op::kOr, p, q)}) {
    formulas.push_back(graph.Select(truth, x[2], x[3]));
  }
  for (const double n : {-16.0,
                         -3.0,
                         -2.5,
                         -0.5,
                         0.0,
                         0.3,
                         0.5,
                         1.5,
                         2.0,
                         7.0,
                         15.5,
                         16.0,
                         17.0}) {
    formulas.push_back(graph.Binary(Op::kPower, x[0], graph.Constant(n)));
  }
  ExpectSame(TapeOf(graph, formulas), 2000);
}

RC_GTEST_PROP(NativeCodeTest, RandomFormulasHaveTheBitsOfTheInterpreter, ()) {
  std::vector<Op> ops = OpsOfReals();
  ops.push_back(Op::kSelect);
  ExprGraph graph;
  const std::vector<Expr> x = FourSymbols(graph);
  std::vector<Expr> formulas;
  for (const RandomFormula& formula :
       DrawFormulas(graph, x, {1, 2, 3, 4}, ops, 60)) {
    formulas.push_back(formula.expr);
  }
  ExpectSame(TapeOf(graph, formulas), 5);
}

// One section for each formula, y[k] := formula k of x[1 ... 4].
std::shared_ptr<const Tape> TapeOfSections(ExprGraph& graph,
                                           const std::vector<Expr>& formulas) {
  std::vector<std::vector<TapeAssignment>> sections;
  for (const Expr formula : formulas) {
    const std::string name = "y" + std::to_string(sections.size());
    sections.push_back(
        {{graph.Symbol({name, ValueType::kReal, {}}), formula, {}}});
  }
  std::vector<std::uint32_t> slots(graph.num_symbols());
  std::iota(slots.begin(), slots.end(), 0U);
  TapeBuilder builder(graph, slots, slots.size());
  for (const auto& section : sections) {
    builder.AddSection(section);
  }
  return std::make_shared<const Tape>(std::move(builder).Finish());
}

TEST(NativeCodeTest, SectionsThatAreMadeTogetherHaveTheBitsOfTheInterpreter) {
  ExprGraph graph;
  const std::vector<Expr> x = FourSymbols(graph);
  std::vector<Expr> formulas;
  for (std::size_t k = 0; k < 400; ++k) {  // More than are made together.
    formulas.push_back(k == 7 ? sin(x[0])
                              : x[k % 4] / x[(k + 1) % 4] +
                                    static_cast<double>(k));
  }
  ExpectSame(TapeOfSections(graph, formulas), 3);
}

// As in a sweep over parameters that shape the equations.
TEST(NativeCodeTest, SeveralThreadsMakeCodeOfTheirProgramsAtOnce) {
  ExprGraph graph;
  const std::vector<Expr> x = FourSymbols(graph);
  const std::shared_ptr<const Tape> tape =
      TapeOf(graph, {sin(x[0]) * x[1] + 3.25, x[2] / (x[3] - 1.5) + exp(x[0])});
  std::array<std::thread, 4> threads;
  for (std::thread& thread : threads) {
    thread = std::thread([&tape] {
      for (int i = 0; i < 10; ++i) {
        ExpectSame(tape, 3);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST(NativeCodeTest, StatementsOfFunctionsHaveTheBitsOfTheInterpreter) {
  ExpectSame(R"(
model A
  function Root "Newton's"
    input Real x; output Real y;
  protected
    Real last;
  algorithm
    y := x;
    last := 2*x;
    while abs(y - last) > 1e-12*y loop
      last := y;
      y := (y + x/y)/2;
      if y > 1e6 then
        break;
      end if;
    end while;
  end Root;
  function Sorted
    input Real v[5]; output Real s[5] = v;
  protected
    Real t;
  algorithm
    for i in 1:4 loop
      for j in 1:5 - 1 loop
        if s[j + 1] < s[j] then
          t := s[j]; s[j] := s[j + 1]; s[j + 1] := t;
        end if;
      end for;
    end for;
  end Sorted;
  function Checked
    input Real x; input Integer k; output Real y;
  protected
    Real v[3] = {x, 2*x, 3*x};
  algorithm
    assert(x > -3, "too small");
    y := v[k];
  end Checked;
  Real x(start = 1), y(start = 2), z;
  Real s[5];
equation
  der(x) = Root(abs(y) + 1) - x;
  der(y) = s[3];
  s = Sorted({x, y, x*y, x - y, 0.5});
  z = Checked(x, integer(y));
end A;
)");
}

TEST(NativeCodeTest, IntegersEndTheRunWhereTheInterpretersDo) {
  ExprGraph graph;
  const Expr i = graph.Symbol({"i", ValueType::kInteger, {}});
  const Expr n = graph.Symbol({"n", ValueType::kInteger, {3}});
  const Expr k = graph.Iterator("k", {.count = 3});
  const Expr seven = graph.Constant(7, ValueType::kInteger);
  const auto next = [&] {
    return graph.Symbol({"next", ValueType::kInteger, {}});
  };
  const std::vector<TapeAssignment> assignments = {
      {next(), i * i, {}},
      {next(), graph.Binary(Op::kMod, i * i + seven, seven), {}},
      {next(), graph.Loop(Op::kSum, k, graph.Index(n, std::array{k}) * i), {}}};
  const SlotsOfSymbols slots(graph);
  TapeBuilder builder(graph, slots.first, slots.count);
  for (const TapeAssignment& assignment : assignments) {
    builder.AddSection(std::array{assignment});
  }
  const auto tape = std::make_shared<const Tape>(std::move(builder).Finish());
  const std::shared_ptr<NativeCode> code = MakeNativeCode(tape);
  for (std::size_t section = 0; section < tape->num_sections(); ++section) {
    const NativeSection native = code->Make(section);
    for (const double value :
         {94906265.0, 94906266.0, -94906265.0, -94906266.0, kMaxInteger}) {
      std::vector<double> memory = tape->NewMemory();
      std::fill_n(memory.begin(), 4, value);
      EXPECT_EQ(Difference(*tape, native, section, memory), "")
          << "section " << section << ", " << value;
    }
  }
}

TEST(NativeCodeTest, RecursionEndsWhereTheInterpretersDoes) {
  ExprGraph own;
  const auto factorial = std::make_shared<Function>();
  const Expr n = own.Symbol({"n", ValueType::kReal, {}});
  const Expr y = own.Symbol({"y", ValueType::kReal, {}});
  factorial->name = "factorial";
  factorial->inputs = {n};
  factorial->outputs = {{y, {}}};
  const Expr less = own.Output(own.Call(factorial, std::array{n - 1.0}), 0);
  factorial->body = {
      {Assignment{y, {}, select(Less(1, n), n * less, 1.0)}, {}}};
  ExprGraph graph;
  const std::vector<Expr> x = FourSymbols(graph);
  const auto of = [&](Expr argument) {
    return graph.Output(graph.Call(factorial, std::array{argument}), 0);
  };
  // For infinity it has no end.
  ExpectSame(TapeOf(graph, {of(x[0]) + of(3.0 * x[1]), of(abs(x[2]))}), 200);
}

// The first section contains the code of all functions that it calls.
TEST(NativeCodeTest, SectionsShareTheCodeOfFunctions) {
  ExprGraph own;
  const Expr u = own.Symbol({"u", ValueType::kReal, {}});
  const Expr y = own.Symbol({"y", ValueType::kReal, {}});
  const auto inner = std::make_shared<Function>();
  inner->name = "inner";
  inner->inputs = {u};
  inner->outputs = {{y, {}}};
  inner->body = {{Assignment{y, {}, sin(u) * u}, {}}};
  const auto outer = std::make_shared<Function>(*inner);
  outer->name = "outer";
  const auto call = [](const auto& function, Expr argument) {
    ExprGraph& graph = argument.graph();
    return graph.Output(graph.Call(function, std::array{argument}), 0);
  };
  outer->body = {
      {Assignment{y, {}, call(inner, u) + call(inner, 2.0 * u)}, {}}};
  ExprGraph graph;
  const std::vector<Expr> x = FourSymbols(graph);
  ExpectSame(TapeOfSections(graph,
                            {call(inner, x[0]),
                             call(outer, x[1]) + exp(x[0]),
                             call(outer, x[2]) * call(inner, x[3]),
                             call(inner, call(outer, x[0]))}),
             20);
}

// Results of a loop of repetitions are read outside of it.
TEST(NativeCodeTest,
     LongArraysOfFormulasAsArgumentsHaveTheBitsOfTheInterpreter) {
  ExpectSame(R"(
model A
  function Pick
    input Real v[300]; input Real u; output Real y;
  algorithm
    y := v[integer(1 + mod(abs(u), 299))];
  end Pick;
  parameter Real p[300] = 1:300;
  Real x(start = 1);
  Real y = Pick({p[i]*(1 + x) for i in 1:300}, x);
  Real z = Pick({x/p[i] for i in 1:300}, y);
equation
  der(x) = y - z;
end A;
)");
}

TEST(NativeCodeTest, FunctionsInCppAreCalledAndMayFail) {
  ExprGraph graph;
  const auto polar = std::make_shared<OpaqueFunction>(OpaqueFunction{
      .name = "polar",
      .num_inputs = 2,
      .num_outputs = 2,
      .evaluate = [](std::span<const double> in, std::span<double> out) {
        if (in[0] == 0) {
          throw Error(ErrorCode::kInvalidArgument, "no direction");
        }
        out[0] = std::hypot(in[0], in[1]);
        out[1] = in[1] / in[0];
      }});
  const std::vector<Expr> x = FourSymbols(graph);
  const Expr call = graph.Opaque(polar, std::array{x[0], x[1] + x[2]});
  ExpectSame(
      TapeOf(graph, {graph.Output(call, 0) + x[3], graph.Output(call, 1)}),
      200);
}

TEST(NativeCodeTest, LongCodeInPiecesHasTheBitsOfTheInterpreter) {
  ExprGraph graph;
  std::vector<Expr> formulas = FourSymbols(graph);
  // Each reads results far behind.
  for (std::size_t k = 0; k < 3000; ++k) {
    const Expr a = formulas[formulas.size() - 1 - k % 4];
    const Expr b = formulas[(k * 7919) % formulas.size()];
    formulas.push_back(k % 3 == 0 ? sin(a - b) : a * 0.5 + b * 0.25);
  }
  formulas.erase(formulas.begin(), formulas.begin() + 4);
  ExpectSame(TapeOf(graph, {formulas.begin() + 2900, formulas.end()}));
}

TEST(NativeCodeTest, LoopsHaveTheBitsOfTheInterpreter) {
  ExprGraph graph;
  constexpr std::int64_t kSize = 37;  // No multiple of a vector's length.
  const Expr u = graph.Symbol({"u", ValueType::kReal, {kSize}});
  const Expr du = graph.Symbol({"du", ValueType::kReal, {kSize}});
  const Expr m = graph.Symbol({"m", ValueType::kReal, {kSize, kSize}});
  const Expr w = graph.Symbol({"w", ValueType::kReal, {kSize}});
  const Expr a = graph.Symbol({"a", ValueType::kReal, {}});
  const Expr i = graph.Iterator("i", {.start = 2, .count = kSize - 2});
  const Expr j = graph.Iterator("j", {.start = 1, .count = kSize});
  const Expr one = graph.Constant(1, ValueType::kInteger);
  const auto at = [&](Expr array, Expr k) {
    return graph.Index(array, std::array{k});
  };
  const std::vector<TapeAssignment> assignments = {
      // A stencil, with a parameter and the iterator as a number.
      {at(du, i),
       a * (at(u, i + one) - 2.0 * at(u, i) + at(u, i - one)) + i,
       {i}},
      // Elementary functions in the lanes of vectors.
      {at(w, j), sin(at(u, j)) * exp(at(u, j) / 4.0), {j}},
      // A pass that sees what the one before has stored.
      {at(w, i), at(w, i - one) * a + at(u, i), {i}},
      // A matrix, and its product with a vector.
      {graph.Index(m, std::array{j, i}), at(u, j) * at(du, i), {j, i}},
      {at(u, j),
       graph.Loop(Op::kSum, i, graph.Index(m, std::array{j, i}) * at(w, i)),
       {j}}};
  const SlotsOfSymbols slots(graph);
  TapeBuilder builder(graph, slots.first, slots.count);
  builder.AddSection(assignments);
  for (const TapeAssignment& assignment : assignments) {
    builder.AddSection(std::array{assignment});
  }
  ExpectSame(std::make_shared<const Tape>(std::move(builder).Finish()), 100);
}

// A chain of masses, each with equations of its own.
std::shared_ptr<Program> CompileChain(int masses = 80) {
  Diagnostics diagnostics;
  const auto flat =
      modelica::Flatten(std::make_shared<SourceFile>("chain.mo", R"(
model Chain
  parameter Integer n = )" + std::to_string(masses) + R"(;
  parameter Real k[n] = fill(3, n), c = 0.1;
  Real x[n](each start = 0), v[n], force[n + 1];
equation
  force[1] = k[1]*x[1];
  force[n + 1] = -k[n]*x[n];
  for i in 2:n loop
    force[i] = k[i]*(x[i] - x[i - 1]) + sin(time);
  end for;
  for i in 1:n loop
    der(x[i]) = v[i];
    der(v[i]) = force[i + 1] - force[i] - c*v[i]*abs(v[i]);
  end for;
end Chain;
)"),
                        "",
                        diagnostics);
  return Compile(*flat, diagnostics, LoopForm::kScalars);
}

// Computes the derivatives natively and interpreted, from the same memory,
// random but for parameters; returns the difference.
std::string DifferenceOfSlopes(const Program& program,
                               const NativeSlopes& slopes,
                               std::vector<double> memory) {
  RandomStream random(2, "states");
  std::vector<double> x;
  for (const std::uint32_t slot : program.state_slots) {
    x.push_back(random.Uniform(-1, 1));
    memory[slot] = x.back();
  }
  std::vector<double> dx(x.size());
  if (slopes.function(memory.data(), x.data(), dx.data()) != 0) {
    return "it ended";
  }
  for (const ScheduleStep& step : program.derivatives) {
    program.tape->Run(step.index, memory.data());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Reference& at = program.derivatives_at[i];
    if (!AreSame(dx[i], static_cast<double>(at.sign) * memory[at.slot])) {
      return "der(" + StateName(program, i) + ") is " + std::to_string(dx[i]) +
             " instead of " + std::to_string(memory[at.slot]);
    }
  }
  return "";
}

TEST(NativeSlopesTest, PartsThatAreAlikeBecomeALoopWithTheSameBits) {
  const std::shared_ptr<Program> program = CompileChain();
  const auto code = MakeNativeCode(program->tape);
  const NativeSlopes& slopes =
      code->MakeSlopes(*program, program->initial_memory);
  EXPECT_GT(slopes.uniform.size(), 0U);
  EXPECT_EQ(DifferenceOfSlopes(*program, slopes, program->initial_memory), "");
}

TEST(NativeSlopesTest, OfAFewPartsWhatIsAlikeIsReadOnce) {
  const std::shared_ptr<Program> program = CompileChain(12);
  const auto code = MakeNativeCode(program->tape);
  const NativeSlopes& slopes =
      code->MakeSlopes(*program, program->initial_memory);
  EXPECT_GT(slopes.uniform.size(), 0U);
  EXPECT_EQ(DifferenceOfSlopes(*program, slopes, program->initial_memory), "");
}

TEST(NativeSlopesTest, APartThatDiffersGetsCodeThatReliesOnNothing) {
  const std::shared_ptr<Program> program = CompileChain();
  const auto code = MakeNativeCode(program->tape);
  const NativeSlopes& alike =
      code->MakeSlopes(*program, program->initial_memory);
  const NameTable names(*program);
  std::vector<double> memory = program->initial_memory;
  memory[ReferenceOf(*program, names.Get("k[30]")).slot] = 5;
  EXPECT_FALSE(alike.IsFor(memory));
  const NativeSlopes& any = code->MakeSlopes(*program, memory);
  EXPECT_NE(any.function, alike.function);
  EXPECT_EQ(DifferenceOfSlopes(*program, any, memory), "");
  // It serves other values too; equal ones keep their code.
  memory[ReferenceOf(*program, names.Get("k[7]")).slot] = -1;
  EXPECT_EQ(code->MakeSlopes(*program, memory).function, any.function);
  EXPECT_EQ(DifferenceOfSlopes(*program, any, memory), "");
  EXPECT_EQ(code->MakeSlopes(*program, program->initial_memory).function,
            alike.function);
}

}  // namespace
}  // namespace orrery
