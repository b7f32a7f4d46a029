#include "orrery/sim/events/value_numbers.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery {

namespace internal = sim::internal;

namespace {

using internal::ValueNumbers;

// Symbols get slots in the order in which they are made.
class ValueNumbersTest : public testing::Test {
 protected:
  Expr Make(const std::string& name, ValueType type = ValueType::kReal) {
    slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    return graph_.Symbol({name, type, {}});
  }

  Tape Compile(const std::vector<TapeAssignment>& assignments) {
    TapeBuilder builder(graph_, slots_, slots_.size());
    builder.AddSection(assignments);
    return std::move(builder).Finish();
  }

  ExprGraph graph_;
  std::vector<std::uint32_t> slots_;
};

TEST_F(ValueNumbersTest, GiveEqualFormulasOneNumber) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr z = Make("z");
  const Tape tape = Compile({{y, sin(x) + 1.0, {}}, {z, sin(x) + 2.0, {}}});
  ValueNumbers numbers(tape);
  ASSERT_TRUE(numbers.Run(0));
  const ValueNumbers::Number first = numbers[1];
  EXPECT_NE(first, numbers[2]);
  ASSERT_TRUE(numbers.Run(0));
  EXPECT_EQ(numbers[1], first);
}

TEST_F(ValueNumbersTest, TellFormulasOfOtherOperandsApart) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Tape tape = Compile({{y, sin(x) + 1.0, {}}});
  ValueNumbers numbers(tape);
  ASSERT_TRUE(numbers.Run(0));
  const ValueNumbers::Number first = numbers[1];
  numbers.Set(0, numbers.New());
  ASSERT_TRUE(numbers.Run(0));
  EXPECT_NE(numbers[1], first);
}

TEST_F(ValueNumbersTest, ComputeWithConstants) {
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Tape tape = Compile({{y, 2.0 * x + 1.0, {}}});
  ValueNumbers numbers(tape);
  numbers.Set(0, numbers.Constant(3));
  ASSERT_TRUE(numbers.Run(0));
  EXPECT_EQ(numbers.ValueOf(numbers[1]), 7.0);
}

TEST_F(ValueNumbersTest, TakeTheBranchOfAKnownCondition) {
  const Expr condition = Make("condition", ValueType::kBoolean);
  const Expr x = Make("x");
  const Expr y = Make("y");
  const Expr z = Make("z");
  const Tape tape = Compile({{z, graph_.Select(condition, x, y), {}}});
  for (const double value : {0.0, 1.0}) {
    ValueNumbers numbers(tape);
    numbers.Set(0, numbers.Constant(value));
    ASSERT_TRUE(numbers.Run(0));
    EXPECT_EQ(numbers[3], numbers[value != 0 ? 1 : 2]);
  }
  ValueNumbers numbers(tape);
  ASSERT_TRUE(numbers.Run(0));
  EXPECT_NE(numbers[3], numbers[1]);
  EXPECT_NE(numbers[3], numbers[2]);
}

TEST_F(ValueNumbersTest, KeepZerosOfBothSignsApart) {
  const Tape tape = Compile({{Make("x"), Make("y"), {}}});
  ValueNumbers numbers(tape);
  EXPECT_NE(numbers.Constant(0.0), numbers.Constant(-0.0));
  EXPECT_EQ(numbers.Constant(-0.0), numbers.Constant(-0.0));
}

}  // namespace
}  // namespace orrery
