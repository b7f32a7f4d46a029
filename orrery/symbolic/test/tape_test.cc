#include "orrery/symbolic/tape/tape.h"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/count_allocations.h"
#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery {
namespace {

using testing::ElementsAre;

// A graph whose symbols get slots in the order they are made.
class TapeTest : public testing::Test {
 protected:
  Expr Make(const std::string& name, Shape shape = {}) {
    return MakeTyped(name, ValueType::kReal, std::move(shape));
  }

  Expr MakeTyped(const std::string& name, ValueType type, Shape shape = {}) {
    slots_.push_back(static_cast<std::uint32_t>(num_slots_));
    num_slots_ += static_cast<std::size_t>(NumElements(shape));
    return graph_.Symbol({name, type, std::move(shape)});
  }

  Expr Integer(double value) {
    return graph_.Constant(value, ValueType::kInteger);
  }

  Expr At(Expr array, const std::vector<Expr>& subscripts) {
    return graph_.Index(array, subscripts);
  }

  Tape Compile(const std::vector<TapeAssignment>& assignments) {
    TapeBuilder builder(graph_, slots_, num_slots_);
    builder.AddSection(assignments);
    return std::move(builder).Finish();
  }

  // Runs section 0 after giving the variables their values, in slot order.
  std::vector<double> Run(const Tape& tape,
                          const std::vector<double>& values,
                          Tape::Outcome expected = Tape::Outcome::kDone) {
    memory_ = tape.NewMemory();
    std::ranges::copy(values, memory_.begin());
    initial_ = memory_;
    EXPECT_EQ(tape.Run(0, memory_.data()), expected);
    return {memory_.begin(),
            memory_.begin() + static_cast<std::ptrdiff_t>(num_slots_)};
  }

  std::string FaultOf(const Tape& tape, const std::vector<double>& values) {
    std::vector<double> memory = tape.NewMemory();
    std::ranges::copy(values, memory.begin());
    const std::optional<Tape::Fault> fault = tape.FindFault(0, memory);
    return fault ? fault->message : "no fault";
  }

  ExprGraph graph_;
  std::vector<std::uint32_t> slots_;
  std::size_t num_slots_ = 0;
  std::vector<double> memory_;
  std::vector<double> initial_;
};

TEST_F(TapeTest, EvaluatesAFormula) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr z = Make("z");
  const Tape tape = Compile({{z, 2.0 * x + sin(y) / x, {}}});
  EXPECT_EQ(
      Run(tape, {4, 0.5}),
      (std::vector<double>{4, 0.5, 8 + EvaluateOp(Op::kSin, 0.5, 0, 0) / 4}));
}

TEST_F(TapeTest, AnOperationWritesItsTargetWithoutACopy) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  EXPECT_EQ(Compile({{y, x * x, {}}}).size(0), 1U);
}

TEST_F(TapeTest, SharedPartsAreComputedOnce) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr z = Make("z");
  const Expr shared = exp(sin(x));
  const Tape tape = Compile({{y, shared + 1.0, {}}, {z, shared * 2.0, {}}});
  EXPECT_EQ(tape.size(0), 4U);
  EXPECT_EQ(Run(tape, {0}), (std::vector<double>{0, 2, 2}));
}

TEST_F(TapeTest, ATargetCanBeReadByLaterAssignments) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr z = Make("z");
  EXPECT_EQ(Run(Compile({{y, x + 1.0, {}}, {z, y * y, {}}}), {2}),
            (std::vector<double>{2, 3, 9}));
}

TEST_F(TapeTest, ATargetAssignedTwiceHoldsTheLastValue) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr z = Make("z");
  const Tape tape =
      Compile({{y, x + 1.0, {}}, {y, x + 2.0, {}}, {z, x + 1.0, {}}});
  EXPECT_EQ(Run(tape, {1}), (std::vector<double>{1, 3, 2}));
}

TEST_F(TapeTest, PowersAreMultipliedOut) {
  const Expr x = Make("x");
  std::vector<TapeAssignment> assignments;
  for (int n = -16; n <= 16; ++n) {
    assignments.push_back({Make("p"), pow(x, n), {}});
  }
  const std::vector<double> values = Run(Compile(assignments), {1.37});
  for (int n = -16; n <= 16; ++n) {
    EXPECT_EQ(values[static_cast<std::size_t>(n + 17)],
              EvaluateOp(Op::kPower, 1.37, n, 0))
        << n;
  }
}

TEST_F(TapeTest, EveryOperationHasTheBitsOfEvaluateOp) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr flag = MakeTyped("f", ValueType::kBoolean);
  const Expr other = MakeTyped("g", ValueType::kBoolean);
  std::vector<TapeAssignment> assignments;
  std::vector<Op> ops;
  for (int i = 0; i < kNumOps; ++i) {
    const Op op = static_cast<Op>(i);
    const bool logical = op == Op::kNot || op == Op::kAnd || op == Op::kOr;
    const int operands = ElementwiseOperands(op);
    if (operands == 0 || IsFused(op)) {
      continue;
    }
    const Expr a = logical ? flag : x;
    const Expr b = logical ? other : y;
    const Expr value = operands == 1   ? graph_.Unary(op, a)
                       : operands == 2 ? graph_.Binary(op, a, b)
                                       : graph_.Select(flag, x, y);
    assignments.push_back({Make("r"), value, {}});
    ops.push_back(op);
  }
  const std::vector<double> values =
      Run(Compile(assignments), {0.7, 0.3, 0, 1});
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const bool logical =
        ops[i] == Op::kNot || ops[i] == Op::kAnd || ops[i] == Op::kOr;
    const double expected = ops[i] == Op::kSelect ? 0.3
                            : logical             ? EvaluateOp(ops[i], 0, 1, 0)
                                      : EvaluateOp(ops[i], 0.7, 0.3, 0);
    EXPECT_EQ(values[4 + i], expected) << OpName(ops[i]);
  }
}

// 1 + 2^-30 squared is 1 + 2^-29 + 2^-60, one bit too long for a double.
TEST_F(TapeTest, AProductInASumIsRoundedWithIt) {
  const Expr a = Make("a");
  const Expr b = Make("b");
  const Expr c = Make("c");
  const double x = 1 + 0x1p-30;
  const double rounded = x * x;
  ASSERT_EQ(rounded, 1 + 0x1p-29);
  const Tape tape = Compile({{Make("sum"), c + a * b, {}},
                             {Make("difference"), a * b - c, {}},
                             {Make("other"), c - a * b, {}}});
  EXPECT_EQ(tape.size(0), 3U);
  const std::vector<double> values = Run(tape, {x, x, -rounded});
  EXPECT_EQ(values[3], 0x1p-60);
  EXPECT_EQ(values[4], rounded + rounded);
  const std::vector<double> others = Run(tape, {x, x, rounded});
  EXPECT_EQ(others[4], 0x1p-60);
  EXPECT_EQ(others[5], -0x1p-60);
}

TEST_F(TapeTest, ADifferenceOfTwoProductsIsRoundedAsEachOfThem) {
  const Expr a = Make("a");
  const Expr b = Make("b");
  const Expr c = Make("c");
  const Expr d = Make("d");
  const Tape tape = Compile({{Make("r"), a * b - c * d, {}}});
  EXPECT_EQ(Run(tape, {0.1, 0.7, 0.7, 0.1})[4], 0);
}

TEST_F(TapeTest, ElementsOfAStoredArrayOfProductsAreLoaded) {
  const Expr v = Make("v", {100});
  const Expr w = Make("w", {100});
  const Expr product = sin(v) * cos(v);
  const Tape tape = Compile({{w, exp(product) + product, {}}});
  std::vector<double> memory = tape.NewMemory();
  std::iota(memory.begin(), memory.begin() + 100, 0.0);
  tape.Run(0, memory.data());
  const double stored =
      EvaluateOp(Op::kSin, 7, 0, 0) * EvaluateOp(Op::kCos, 7, 0, 0);
  EXPECT_EQ(memory[107], EvaluateOp(Op::kExp, stored, 0, 0) + stored);
}

TEST_F(TapeTest, RunAllocatesNothing) {
  const Expr v = Make("v", {100});
  const Expr w = Make("w", {100});
  const Tape tape = Compile({{w, sin(v) * 2.0 + pow(v, 3), {}}});
  std::vector<double> memory = tape.NewMemory();
  const int before = CountAllocations();
  tape.Run(0, memory.data());
  EXPECT_EQ(CountAllocations(), before);
}

TEST_F(TapeTest, TemporariesShareMemory) {
  Expr x = Make("x");
  const Expr y = Make("y");
  for (int i = 0; i < 1000; ++i) {
    x = sin(x) + 1.0;
  }
  const Tape tape = Compile({{y, x, {}}});
  EXPECT_LE(tape.memory_size(), 2U + 1U + 2U);
}

TEST_F(TapeTest, AChainOfAMillionOperationsCompilesAndRuns) {
  Expr x = Make("x");
  const Expr y = Make("y");
  const Expr z = Make("z");
  for (int i = 0; i < 500'000; ++i) {
    x = -(x * y) + y;
  }
  const std::vector<double> values = Run(Compile({{z, x, {}}}), {1, 0.5});
  EXPECT_NEAR(values[2], 0.5 / 1.5, 1e-15);
}

// Arrays --------------------------------------------------------------------

TEST_F(TapeTest, AnElementwiseFormulaIsOneLoop) {
  const Expr v = Make("v", {1000});
  const Expr w = Make("w", {1000});
  const Tape tape = Compile({{w, 2.0 * v + v * v, {}}});
  EXPECT_LE(tape.size(0), 8U);
  EXPECT_LE(tape.memory_size(), 2000U + 10U) << "no array of intermediates";
  std::vector<double> values(1000);
  values[999] = 3;
  EXPECT_EQ(Run(tape, values)[1999], 15);
}

TEST_F(TapeTest, AConstantSubscriptNeedsNoInstruction) {
  const Expr v = Make("v", {3});
  const Expr y = Make("y");
  const Tape tape = Compile({{y, At(v, {Integer(2)}) * 2.0, {}}});
  EXPECT_EQ(tape.size(0), 1U);
  EXPECT_EQ(Run(tape, {1, 5, 9})[3], 10);
}

TEST_F(TapeTest, AnElementIsAssigned) {
  const Expr v = Make("v", {2, 2});
  const Tape tape = Compile({{At(v, {Integer(2), Integer(1)}),
                              At(v, {Integer(1), Integer(1)}) + 1.0,
                              {}}});
  EXPECT_THAT(Run(tape, {4, 0, 0, 0}), ElementsAre(4, 0, 5, 0));
}

TEST_F(TapeTest, AForEquationReadsItsNeighbours) {
  const Expr u = Make("u", {5});
  const Expr d = Make("d", {5});
  const Expr i = graph_.Iterator("i", {.start = 2, .step = 1, .count = 3});
  const Expr one = Integer(1);
  const Expr value = At(u, {i - one}) - 2.0 * At(u, {i}) + At(u, {i + one});
  const Tape tape = Compile({{At(d, {i}), value, {i}}});
  EXPECT_THAT(Run(tape, {0, 1, 4, 9, 16, 0, 0, 0, 0, 0}),
              ElementsAre(0, 1, 4, 9, 16, 0, 2, 2, 2, 0));
  for (const Tape::Instruction& instruction : tape.CodeOf(0)) {
    EXPECT_NE(instruction.op, TapeOp::kToIndex) << "in bounds for certain";
  }
}

TEST_F(TapeTest, InvariantPartsLeaveTheLoop) {
  const Expr x = Make("x");
  const Expr v = Make("v", {10});
  const Expr i = graph_.Iterator("i", {.count = 10});
  const Tape tape = Compile({{At(v, {i}), exp(sin(x)) * At(v, {i}), {i}}});
  const auto code = tape.CodeOf(0);
  ASSERT_GE(code.size(), 3U);
  EXPECT_EQ(code[0].op, TapeOp::kSin);
  EXPECT_EQ(code[1].op, TapeOp::kExp);
  EXPECT_EQ(code[2].op, TapeOp::kLoop);
}

TEST_F(TapeTest, StridedSubscriptsAndIteratorsAsNumbersWork) {
  const Expr v = Make("v", {9});
  const Expr i = graph_.Iterator("i", {.start = 9, .step = -4, .count = 3});
  const Tape tape = Compile({{At(v, {i}), 10.0 * i, {i}}});
  EXPECT_THAT(Run(tape, std::vector<double>(9)),
              ElementsAre(10, 0, 0, 0, 50, 0, 0, 0, 90));
}

TEST_F(TapeTest, ALoopBodyMayReadWhatEarlierPassesAssigned) {
  const Expr v = Make("v", {5});
  const Expr i = graph_.Iterator("i", {.start = 2, .step = 1, .count = 4});
  const Tape tape = Compile({{At(v, {i}), 2.0 * At(v, {i - Integer(1)}), {i}}});
  EXPECT_THAT(Run(tape, {1, 0, 0, 0, 0}), ElementsAre(1, 2, 4, 8, 16));
}

TEST_F(TapeTest, AMatrixTimesAVector) {
  const Expr a = Make("A", {2, 3});
  const Expr x = Make("x", {3});
  const Expr y = Make("y", {2});
  const Expr i = graph_.Iterator("i", {.count = 2});
  const Expr j = graph_.Iterator("j", {.count = 3});
  const Expr product = graph_.Loop(
      Op::kBuild, i, graph_.Loop(Op::kSum, j, At(a, {i, j}) * At(x, {j})));
  const Tape tape = Compile({{y, product, {}}});
  const std::vector<double> values =
      Run(tape, {1, 2, 3, 4, 5, 6, 1, 10, 100, 0, 0});
  EXPECT_EQ(values[9], 321);
  EXPECT_EQ(values[10], 654);
}

TEST_F(TapeTest, ATransposedMatrixCanBeAssignedToItself) {
  const Expr a = Make("A", {2, 2});
  const Expr i = graph_.Iterator("i", {.count = 2});
  const Expr j = graph_.Iterator("j", {.count = 2});
  const Expr transposed =
      graph_.Loop(Op::kBuild, i, graph_.Loop(Op::kBuild, j, At(a, {j, i})));
  EXPECT_THAT(Run(Compile({{a, transposed, {}}}), {1, 2, 3, 4}),
              ElementsAre(1, 3, 2, 4));
}

TEST_F(TapeTest, ReductionsGoFromFirstToLast) {
  const Expr v = Make("v", {4});
  const Expr i = graph_.Iterator("i", {.count = 4});
  std::vector<TapeAssignment> assignments;
  for (const Op op : {Op::kSum, Op::kProduct, Op::kMinimum, Op::kMaximum}) {
    assignments.push_back({Make("r"), graph_.Loop(op, i, At(v, {i})), {}});
  }
  const std::vector<double> values = Run(Compile(assignments), {3, -2, 0.5, 4});
  EXPECT_EQ(values[4], 5.5);
  EXPECT_EQ(values[5], -12);
  EXPECT_EQ(values[6], -2);
  EXPECT_EQ(values[7], 4);
}

TEST_F(TapeTest, ReductionsOverNothingHaveTheirNeutralElement) {
  const Expr i = graph_.Iterator("i", {.count = 0});
  const Expr sum = Make("s");
  const Expr product = Make("p");
  const Expr least = Make("m");
  const Expr body = 2.0 * i;
  const Tape tape = Compile({{sum, graph_.Loop(Op::kSum, i, body), {}},
                             {product, graph_.Loop(Op::kProduct, i, body), {}},
                             {least, graph_.Loop(Op::kMinimum, i, body), {}}});
  EXPECT_THAT(Run(tape, {7, 7, 7}),
              ElementsAre(0, 1, std::numeric_limits<double>::max()));
}

TEST_F(TapeTest, ArraysOfPartsAreStacked) {
  const Expr v = Make("v", {2});
  const Expr x = Make("x");
  const Expr m = Make("m", {2, 2});
  const std::array row = {x, x + 1.0};
  const std::array rows = {graph_.MakeArray(row), v * 10.0};
  EXPECT_EQ(Run(Compile({{m, graph_.MakeArray(rows), {}}}), {1, 2, 7}),
            (std::vector<double>{1, 2, 7, 7, 8, 10, 20}));
}

TEST_F(TapeTest, AnArrayUsedTwiceIsStoredOnce) {
  const Expr v = Make("v", {4});
  const Expr a = Make("a", {4});
  const Expr b = Make("b", {4});
  const Expr shared = exp(v);
  const Tape tape = Compile({{a, shared + 1.0, {}}, {b, shared * 2.0, {}}});
  int exponentials = 0;
  for (const Tape::Instruction& instruction : tape.CodeOf(0)) {
    exponentials += instruction.op == TapeOp::kExp ? 1 : 0;
  }
  EXPECT_EQ(exponentials, 1);
  const std::vector<double> values = Run(tape, {0, 0, 0, 0});
  EXPECT_EQ(values[7], 2);
  EXPECT_EQ(values[11], 2);
}

TEST_F(TapeTest, AnArrayKeepsItsMemoryWhileALoopFillsIt) {
  const Expr v = Make("v", {3});
  const Expr a = Make("a", {3});
  const Expr b = Make("b", {3});
  const Expr i = graph_.Iterator("i", {.count = 3});
  const Expr j = graph_.Iterator("j", {.count = 3});
  // An array for each pass, as large as the one that all passes fill.
  const Expr scaled = v * i;
  const Expr sum =
      graph_.Loop(Op::kSum, j, At(scaled, {Integer(4) - j}) * At(v, {j}));
  const Expr result = graph_.Loop(Op::kBuild, i, sum);
  const Tape tape = Compile({{a, result + 0.5, {}}, {b, result * 2.0, {}}});
  // i (v1 v3 + v2 v2 + v3 v1) = 10 i.
  EXPECT_EQ(Run(tape, {1, 2, 3}),
            (std::vector<double>{1, 2, 3, 10.5, 20.5, 30.5, 20, 40, 60}));
}

TEST_F(TapeTest, ARowIsAViewOfItsMatrix) {
  const Expr m = Make("m", {3, 2});
  const Expr v = Make("v", {2});
  EXPECT_THAT(
      Run(Compile({{v, At(m, {Integer(2)}) * 2.0, {}}}), {1, 2, 3, 4, 5, 6}),
      ElementsAre(1, 2, 3, 4, 5, 6, 6, 8));
}

TEST_F(TapeTest, RowsAreAssignedInALoop) {
  const Expr m = Make("m", {2, 2});
  const Expr v = Make("v", {2});
  const Expr i = graph_.Iterator("i", {.count = 2});
  EXPECT_THAT(Run(Compile({{At(m, {i}), v * i, {i}}}), {0, 0, 0, 0, 3, 4}),
              ElementsAre(3, 4, 6, 8, 3, 4));
}

TEST_F(TapeTest, AComputedSubscriptIsChecked) {
  const Expr v = Make("v", {3});
  const Expr k = MakeTyped("k", ValueType::kInteger);
  const Expr y = Make("y");
  const Tape tape = Compile({{y, At(v, {k}), {}}});
  EXPECT_EQ(Run(tape, {10, 20, 30, 3})[4], 30);
  Run(tape, {10, 20, 30, 4}, Tape::Outcome::kSubscript);
  EXPECT_EQ(FaultOf(tape, {10, 20, 30, 4}),
            "subscript 4 is out of bounds: the dimension has 3 elements");
  EXPECT_EQ(FaultOf(tape, {10, 20, 30, 0}),
            "subscript 0 is out of bounds: the dimension has 3 elements");
}

TEST_F(TapeTest, AnIntegerThatIsTooLargeIsNotAssigned) {
  const Expr i = MakeTyped("i", ValueType::kInteger);
  const Expr next = MakeTyped("next", ValueType::kInteger);
  const Tape tape = Compile({{next, i * Integer(10), {}}});
  EXPECT_EQ(Run(tape, {900719925474099})[1], 9007199254740990);
  Run(tape, {900719925474100}, Tape::Outcome::kTooLarge);
  EXPECT_EQ(FaultOf(tape, {-900719925474100}),
            "-9007199254741000 is beyond the Integers, which lie between -2^53 "
            "and 2^53; make it Real, or smaller");
}

TEST_F(TapeTest, AnIntegerThatIsTooLargeIsNotTakenByAnOperation) {
  const Expr s = MakeTyped("s", ValueType::kInteger);
  const Expr next = MakeTyped("next", ValueType::kInteger);
  const Expr product = Integer(1103515245) * s + Integer(12345);
  const Tape tape = Compile(
      {{next, graph_.Binary(Op::kMod, product, Integer(2147483648)), {}}});
  EXPECT_EQ(Run(tape, {1})[1], 1103527590);
  Run(tape, {1103527590}, Tape::Outcome::kTooLarge);
}

TEST_F(TapeTest, AProductOfIntegersThatASumTakesUpIsExact) {
  const Expr i = MakeTyped("i", ValueType::kInteger);
  const Expr y = MakeTyped("y", ValueType::kInteger);
  const Tape tape = Compile({{y, i * i - Integer(9007199254740991), {}}});
  EXPECT_EQ(Run(tape, {94906267})[1], 261134298);
}

TEST_F(TapeTest, ThePartsOfASumOfIntegersAreChecked) {
  const Expr n = MakeTyped("n", ValueType::kInteger, {3});
  const Expr k = graph_.Iterator("k", {.count = 3});
  const Expr y = MakeTyped("y", ValueType::kInteger);
  const Tape tape = Compile({{y, graph_.Loop(Op::kSum, k, At(n, {k})), {}}});
  EXPECT_EQ(Run(tape, {kMaxInteger, -kMaxInteger, 4})[3], 4);
  Run(tape, {kMaxInteger, 4, -kMaxInteger}, Tape::Outcome::kTooLarge);
}

TEST_F(TapeTest, TheElementsOfAnArrayOfIntegersAreChecked) {
  const Expr n = MakeTyped("n", ValueType::kInteger, {2});
  const Expr y = MakeTyped("y", ValueType::kInteger, {2});
  const Tape tape = Compile({{y, n + n, {}}});
  EXPECT_EQ(Run(tape, {1, 2})[3], 4);
  Run(tape, {1, kMaxInteger}, Tape::Outcome::kTooLarge);
}

TEST_F(TapeTest, AnIntegerInABranchNotTakenIsNotChecked) {
  const Expr i = MakeTyped("i", ValueType::kInteger);
  const Expr y = MakeTyped("y", ValueType::kInteger);
  const Expr rest =
      graph_.Binary(Op::kMod, i * Integer(1000000), Integer(1000003));
  const Tape tape = Compile({{y, select(Less(i, 1000), rest, Integer(0)), {}}});
  EXPECT_EQ(Run(tape, {2})[1], 999997);
  EXPECT_EQ(Run(tape, {1e15})[1], 0);
}

TEST_F(TapeTest, OnlyIntegersThatMayBeTooLargeAreChecked) {
  const Expr x = Make("x", {3});
  const Expr y = Make("y", {3});
  const Expr z = Make("z");
  const Expr i = MakeTyped("i", ValueType::kInteger);
  const Expr j = MakeTyped("j", ValueType::kInteger);
  const Expr k = graph_.Iterator("k", {.count = 3});
  const Expr rest = graph_.Binary(Op::kMod, i, Integer(10));
  const Tape tape = Compile({
      {At(y, {k}), At(x, {k}) * (Integer(2) * k - Integer(1)), {k}},
      // A Real takes it rounded; the value compared with it is certain to be
      // smaller.
      {z, At(x, {i}) * (i * j) + select(Less(i * i, j), 1.0, 2.0), {}},
      {i, rest * rest + Integer(1), {}},
      {j, select(Less(i, 3), j, graph_.Unary(Op::kSign, i * i)), {}},
  });
  for (const Tape::Instruction& instruction : tape.CodeOf(0)) {
    EXPECT_NE(instruction.op, TapeOp::kCopyInteger);
  }
}

TEST_F(TapeTest, ASubscriptInABranchNotTakenIsNotChecked) {
  const Expr u = Make("u", {3});
  const Expr d = Make("d", {3});
  const Expr i = graph_.Iterator("i", {.count = 3});
  const Expr left = At(u, {i - Integer(1)});
  const Expr value =
      select(Greater(i, 1), left, 100.0) + select(Greater(i, 1), left, 0.0);
  EXPECT_THAT(Run(Compile({{At(d, {i}), value, {i}}}), {1, 2, 3}),
              ElementsAre(1, 2, 3, 100, 2, 4));
}

TEST_F(TapeTest, NestedGuardedBranchesCompileInLinearTime) {
  const Expr v = Make("v", {3});
  const Expr k = MakeTyped("k", ValueType::kInteger);
  const Expr x = Make("x");
  const Expr result = Make("r");
  Expr y = x;
  for (int i = 0; i < 2000; ++i) {
    const Expr condition = Less(x, i - 1000);
    y = select(condition, y + At(v, {k}), y * 0.5) +
        select(Not(condition), y, 1.0);
  }
  const Tape tape = Compile({{result, y, {}}});
  EXPECT_LT(tape.size(0), 200'000U);
  Run(tape, {1, 2, 3, 2, 0.5});
}

// Faults --------------------------------------------------------------------

TEST_F(TapeTest, FaultsAreSaidAsOneWouldSayThem) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr r = Make("r");
  const auto fault = [&](Expr value, double x_value, double y_value) {
    return FaultOf(Compile({{r, value, {}}}), {x_value, y_value});
  };
  EXPECT_EQ(fault(sqrt(x), -3.2, 0), "sqrt(-3.2) is not a real number");
  EXPECT_EQ(fault(asin(x), 1.5, 0), "asin(1.5) is not a real number");
  EXPECT_EQ(fault(log(x), 0, 0), "log(0) is -infinity");
  EXPECT_EQ(fault(log(x), -1, 0), "log(-1) is not a real number");
  EXPECT_EQ(fault(x / y, 1, 0), "division by zero: 1/0");
  EXPECT_EQ(fault(x / y, -2, 0), "division by zero: (-2)/0");
  EXPECT_EQ(fault(mod(x, y), 1, 0), "division by zero: mod(1, 0)");
  EXPECT_EQ(fault(pow(x, y), -2, 0.5), "(-2)^0.5 is not a real number");
  EXPECT_EQ(fault(pow(x, -2), 0, 0), "division by zero: 1/0");
  EXPECT_EQ(fault(exp(x), 1000, 0), "the result overflows: exp(1000)");
  EXPECT_EQ(fault(x * y, 1e200, 1e200), "the result overflows: 1e+200*1e+200");
  EXPECT_EQ(fault(x * y, 1, 2), "no fault");
}

TEST_F(TapeTest, AFaultNamesItsFormulaAssignmentAndOperands) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr z = Make("z");
  const Expr root = sqrt(x - 1.0);
  const Tape tape = Compile({{y, x * 2.0, {}}, {z, root * 3.0 + y, {}}});
  Run(tape, {0.5});
  const auto fault = tape.FindFault(0, initial_);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->assignment, 1U);
  EXPECT_EQ(fault->node, root.id());
  EXPECT_THAT(fault->operands, ElementsAre(-0.5));
  EXPECT_TRUE(std::isnan(fault->result));
}

TEST_F(TapeTest, WhatASelectDropsIsNotBlamed) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr safe = select(Greater(x, 0), sqrt(x), graph_.Constant(0));
  const Expr also_log = Make("l");
  const Tape tape = Compile({{y, safe, {}}, {also_log, log(x + 1.0), {}}});
  EXPECT_EQ(Run(tape, {-4})[1], 0);
  EXPECT_EQ(FaultOf(tape, {-0.5}), "no fault");
  EXPECT_EQ(FaultOf(tape, {-1}), "log(0) is -infinity");
}

// Calls ---------------------------------------------------------------------

TEST_F(TapeTest, AnOpaqueFunctionIsCalledOnceForAllItsOutputs) {
  int calls = 0;
  const auto function = std::make_shared<OpaqueFunction>();
  function->name = "table";
  function->num_inputs = 2;
  function->num_outputs = 2;
  function->evaluate = [&calls](std::span<const double> in,
                                std::span<double> out) {
    ++calls;
    out[0] = in[0] + in[1];
    out[1] = in[0] - in[1];
  };
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr sum = Make("s");
  const Expr difference = Make("d");
  const std::array arguments = {x, y * 2.0};
  const Expr call = graph_.Opaque(function, arguments);
  const Tape tape = Compile({{sum, graph_.Output(call, 0), {}},
                             {difference, graph_.Output(call, 1), {}}});
  EXPECT_EQ(Run(tape, {5, 1}), (std::vector<double>{5, 1, 7, 3}));
  EXPECT_EQ(calls, 1);
}

TEST_F(TapeTest, AnOpaqueFunctionThatFailsIsNamed) {
  const auto function = std::make_shared<OpaqueFunction>();
  function->name = "table";
  function->num_inputs = 1;
  function->num_outputs = 1;
  function->evaluate = [](std::span<const double> in, std::span<double> out) {
    if (in[0] > 1) {
      throw std::runtime_error("beyond its last row");
    }
    out[0] = std::sqrt(in[0]);
  };
  const Expr x = Make("x");
  const Expr y = Make("y");
  const std::array arguments = {x};
  const Tape tape =
      Compile({{y, graph_.Output(graph_.Opaque(function, arguments), 0), {}}});
  Run(tape, {2}, Tape::Outcome::kException);
  EXPECT_EQ(FaultOf(tape, {2}), "table failed: beyond its last row");
  EXPECT_EQ(FaultOf(tape, {-1}), "table returned NaN");
}

TEST_F(TapeTest, ASymbolWithoutASlotIsAnError) {
  const Expr y = Make("y");
  const Expr stray = graph_.Symbol({"stray", ValueType::kReal, {}});
  try {
    Compile({{y, stray * 2.0, {}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot compile a formula: 'stray' has no slot");
  }
}

}  // namespace
}  // namespace orrery
