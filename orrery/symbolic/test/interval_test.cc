#include "orrery/symbolic/tape/interval.h"

#include <rapidcheck.h>

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery {
namespace {

constexpr Interval kNone = Interval::Point(0);

std::vector<Op> RealOps() {
  std::vector<Op> ops;
  for (int i = 0; i < kNumOps; ++i) {
    const auto op = static_cast<Op>(i);
    if (ElementwiseOperands(op) > 0 && op != Op::kSelect) {
      ops.push_back(op);
    }
  }
  return ops;
}

double DrawNumber() {
  const double scale = *rc::gen::element(0.01, 1.0, 20.0, 500.0);
  return scale * *rc::gen::inRange(-1000, 1001) / 1000.0;
}

Interval DrawInterval() {
  const double a = DrawNumber();
  const double b = DrawNumber();
  return *rc::gen::inRange(0, 4) == 0
             ? Interval::Point(a)
             : Interval{std::min(a, b), std::max(a, b)};
}

double DrawFrom(Interval a) {
  const double part = *rc::gen::inRange(0, 1001) / 1000.0;
  return std::min(a.upper, a.lower + part * (a.upper - a.lower));
}

RC_GTEST_PROP(IntervalTest, ContainsTheValueOnEveryNumberOfTheOperands, ()) {
  const Op op = *rc::gen::elementOf(RealOps());
  const Interval a = DrawInterval();
  const Interval b = DrawInterval();
  const Interval bound = BoundOp(op, a, b, kNone);
  const double x = DrawFrom(a);
  const double y = DrawFrom(b);
  const double value = EvaluateOp(op, x, y, 0);
  RC_PRE(!std::isnan(value));
  RC_LOG() << OpName(op) << " of [" << a.lower << ", " << a.upper << "], ["
           << b.lower << ", " << b.upper << "] at " << x << ", " << y;
  RC_ASSERT(bound.Contains(value));
}

// Two operands that change at constant rates over t in [0, 1].
RC_GTEST_PROP(IntervalTest, SlopesBoundEveryDifferenceQuotient, ()) {
  const Op op = *rc::gen::elementOf(RealOps());
  const double a = DrawNumber();
  const double b = DrawNumber();
  const double da = *rc::gen::element(0.0, 1.0) * DrawNumber();
  const double db = *rc::gen::element(0.0, 1.0) * DrawNumber();
  const auto moving = [](double x, double dx) {
    return Bounds{.value = {std::min(x, x + dx), std::max(x, x + dx)},
                  .slope = Interval::Point(dx)};
  };
  const Bounds bound = BoundOp(op, moving(a, da), moving(b, db), {});
  const double s = *rc::gen::inRange(0, 1001) / 1000.0;
  const double t = *rc::gen::inRange(0, 1001) / 1000.0;
  RC_PRE(s != t);
  const double at_s = EvaluateOp(op, a + s * da, b + s * db, 0);
  const double at_t = EvaluateOp(op, a + t * da, b + t * db, 0);
  RC_PRE(std::isfinite(at_s) && std::isfinite(at_t));
  const double quotient = (at_t - at_s) / (t - s);
  const double rounding =
      1e-12 * (std::abs(at_s) + std::abs(at_t)) / std::abs(t - s) +
      1e-9 * std::abs(quotient) + 1e-12;
  RC_LOG() << OpName(op) << ": " << quotient << " not in [" << bound.slope.lower
           << ", " << bound.slope.upper << "]";
  RC_ASSERT(bound.slope.lower - rounding <= quotient);
  RC_ASSERT(quotient <= bound.slope.upper + rounding);
}

TEST(IntervalTest, OfPointsIsThePointThatIsComputed) {
  const Interval a = Interval::Point(0.1);
  const Interval b = Interval::Point(0.2);
  EXPECT_EQ(BoundOp(Op::kAdd, a, b, kNone), Interval::Point(0.1 + 0.2));
  EXPECT_EQ(BoundOp(Op::kSin, a, kNone, kNone),
            Interval::Point(EvaluateOp(Op::kSin, 0.1, 0, 0)));
}

TEST(IntervalTest, IsTightUpToRounding) {
  const Interval product = BoundOp(Op::kMultiply, {-1, 2}, {3, 4}, kNone);
  EXPECT_NEAR(product.lower, -4, 1e-14);
  EXPECT_NEAR(product.upper, 8, 1e-14);
  const Interval square =
      BoundOp(Op::kPower, {-1, 2}, Interval::Point(2), kNone);
  EXPECT_NEAR(square.lower, 0, 1e-14);
  EXPECT_NEAR(square.upper, 4, 1e-14);
}

TEST(IntervalTest, AWaveReachesItsCrestOnlyWhereItHasOne) {
  using std::numbers::pi;
  const Interval low = BoundOp(Op::kSin, {0.1, 1.5}, kNone, kNone);
  EXPECT_NEAR(low.lower, std::sin(0.1), 1e-14);
  EXPECT_NEAR(low.upper, std::sin(1.5), 1e-14);
  const Interval crest = BoundOp(Op::kSin, {0.1, 1.6}, kNone, kNone);
  EXPECT_EQ(crest.upper, 1);
  const Interval far =
      BoundOp(Op::kCos, {200 * pi - 0.1, 200 * pi + 0.1}, kNone, kNone);
  EXPECT_EQ(far.upper, 1);
  EXPECT_NEAR(far.lower, std::cos(0.1), 1e-13);
}

TEST(IntervalTest, OutsideTheDomainEverythingIsPossible) {
  EXPECT_EQ(BoundOp(Op::kSqrt, {-2, -1}, kNone, kNone), Interval::Entire());
  EXPECT_EQ(BoundOp(Op::kDivide, {1, 2}, {-1, 1}, kNone), Interval::Entire());
  const Interval root = BoundOp(Op::kSqrt, {-1, 4}, kNone, kNone);
  EXPECT_EQ(root.lower, 0);
  EXPECT_NEAR(root.upper, 2, 1e-14);
}

TEST(IntervalTest, ARelationIsCertainOnlyIfTheOperandsAreApart) {
  EXPECT_EQ(BoundOp(Op::kLess, {0, 1}, {2, 3}, kNone), Interval::Point(1));
  EXPECT_EQ(BoundOp(Op::kLess, {2, 3}, {0, 1}, kNone), Interval::Point(0));
  EXPECT_EQ(BoundOp(Op::kLess, {0, 2}, {1, 3}, kNone), (Interval{0, 1}));
}

TEST(IntervalTest, AStepThatIsPassedHasNoBoundedSlope) {
  const Bounds a = {.value = {0.5, 1.5}, .slope = Interval::Point(1)};
  EXPECT_EQ(BoundOp(Op::kFloor, a, {}, {}).slope, Interval::Entire());
  const Bounds b = {.value = {0.5, 0.75}, .slope = Interval::Point(1)};
  EXPECT_EQ(BoundOp(Op::kFloor, b, {}, {}).slope, Interval::Point(0));
}

}  // namespace
}  // namespace orrery
