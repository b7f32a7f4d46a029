#include "orrery/symbolic/op.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(OpTest, ElementaryFunctionsHaveTheirTextbookValues) {
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kSin, kPi / 6, 0, 0), 0.5);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kCos, kPi / 3, 0, 0), 0.5);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kTan, kPi / 4, 0, 0), 1);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kAsin, 1, 0, 0), kPi / 2);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kAcos, -1, 0, 0), kPi);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kAtan, 1, 0, 0), kPi / 4);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kExp, 1, 0, 0), std::numbers::e);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kLog, 2, 0, 0), std::numbers::ln2);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kLog10, 1000, 0, 0), 3);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kSinh, 1, 0, 0), 1.1752011936438014569);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kCosh, 1, 0, 0), 1.5430806348152437785);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kTanh, 1, 0, 0), 0.76159415595576488812);
  EXPECT_DOUBLE_EQ(EvaluateOp(Op::kAtan2, 1, -1, 0), 3 * kPi / 4);
}

TEST(OpTest, ModKeepsTheSignOfTheDivisorAndRemOfTheDividend) {
  EXPECT_EQ(EvaluateOp(Op::kMod, -7, 3, 0), 2);
  EXPECT_EQ(EvaluateOp(Op::kMod, 7, -3, 0), -2);
  EXPECT_EQ(EvaluateOp(Op::kRem, -7, 3, 0), -1);
  EXPECT_EQ(EvaluateOp(Op::kRem, 7, -3, 0), 1);
  EXPECT_EQ(EvaluateOp(Op::kQuotient, -7, 3, 0), -2);
}

TEST(OpTest, ComparisonsAndLogicGiveZeroOrOne) {
  EXPECT_EQ(EvaluateOp(Op::kLess, 1, 2, 0), 1);
  EXPECT_EQ(EvaluateOp(Op::kLessEqual, 2, 2, 0), 1);
  EXPECT_EQ(EvaluateOp(Op::kEqual, 1, 2, 0), 0);
  EXPECT_EQ(EvaluateOp(Op::kNotEqual, 1, 2, 0), 1);
  EXPECT_EQ(EvaluateOp(Op::kAnd, 1, 0, 0), 0);
  EXPECT_EQ(EvaluateOp(Op::kOr, 1, 0, 0), 1);
  EXPECT_EQ(EvaluateOp(Op::kNot, 1, 0, 0), 0);
  EXPECT_EQ(EvaluateOp(Op::kSelect, 1, 5, 6), 5);
  EXPECT_EQ(EvaluateOp(Op::kSelect, 0, 5, 6), 6);
}

TEST(OpTest, SmallIntegerPowersAreProductsInAFixedOrder) {
  const double x = 1.1;
  const double square = x * x;
  EXPECT_EQ(EvaluateOp(Op::kPower, x, 2, 0), square);
  EXPECT_EQ(EvaluateOp(Op::kPower, x, 5, 0), x * (square * square));
  EXPECT_EQ(EvaluateOp(Op::kPower, x, -3, 0), 1 / (x * square));
  EXPECT_EQ(EvaluateOp(Op::kPower, 0, 0, 0), 1);
}

TEST(OpTest, PowersOfHalfIntegersAreProductsAndARoot) {
  const double x = 1.1;
  EXPECT_EQ(EvaluateOp(Op::kPower, x, 0.5, 0), std::sqrt(x));
  EXPECT_EQ(EvaluateOp(Op::kPower, x, 1.5, 0), x * std::sqrt(x));
  EXPECT_EQ(EvaluateOp(Op::kPower, x, -2.5, 0), 1 / (x * x * std::sqrt(x)));
  EXPECT_EQ(EvaluateOp(Op::kPower, 0, 1.5, 0), 0);
  EXPECT_EQ(EvaluateOp(Op::kPower, 0, -1.5, 0),
            std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(EvaluateOp(Op::kPower, -1, 1.5, 0)));
}

RC_GTEST_PROP(OpTest, PowersAgreeWithTheLibraryToRounding, ()) {
  const double x = *rc::gen::inRange(1, 1000) / 100.0;
  const double n = *rc::gen::inRange(-40, 41) / 2.0;
  const double expected = std::pow(x, n);
  RC_ASSERT(std::abs(EvaluateOp(Op::kPower, x, n, 0) - expected) <=
            1e-14 * std::abs(expected));
}

}  // namespace
}  // namespace orrery
