#include "orrery/solver/steps/crossing.h"

#include <rapidcheck.h>

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery {
namespace {

CrossingBracket Locate(double before,
                       double after,
                       const std::function<double(double)>& excess) {
  return LocateCrossing(
      before, after, excess, [](double value) { return value > 0; });
}

TEST(CrossingTest, TheNextDoubleIsWhatTheStandardSaysWhateverTheSigns) {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  for (const double t : {0.0, kLeast, 0.1, 1.0, 1e300, -kLeast, -1.0, -0.7}) {
    for (const double towards : {0.0, kLeast, 0.7, 1.0, 2e300, -1.0, -2e300}) {
      EXPECT_EQ(NextDouble(t, towards), std::nextafter(t, towards))
          << t << " to " << towards;
    }
  }
}

TEST(CrossingTest, IsLocatedToNeighbouringDoubles) {
  const CrossingBracket root =
      Locate(0, 1, [](double t) { return t - std::cos(t); });
  EXPECT_NEAR(root.after, 0.739085133215160641655, 3e-16);
  EXPECT_LE(root.after - root.before, 1.2e-16);
  EXPECT_LE(root.evaluations, 14);
}

TEST(CrossingTest, OfACubedFunctionIsAtTheSamePlace) {
  const CrossingBracket root =
      Locate(0, 1, [](double t) { return std::pow(t - 0.3, 3); });
  EXPECT_NEAR(root.after, 0.3, 1e-15);
}

TEST(CrossingTest, OfAJumpIsFoundByHalving) {
  const CrossingBracket root =
      Locate(0, 1, [](double t) { return t < 0.7 ? -1.0 : 1.0; });
  EXPECT_LE(root.before, 0.7);
  EXPECT_GE(root.after, 0.7);
  EXPECT_LE(root.after - root.before, 1.2e-16);
  EXPECT_LE(root.evaluations, 58);
}

TEST(CrossingTest, TakesAnUndefinedValueForCrossed) {
  const CrossingBracket root = Locate(0, 1, [](double t) {
    return t < 0.25 ? -std::sqrt(0.25 - t) : std::nan("");
  });
  EXPECT_NEAR(root.after, 0.25, 1e-15);
}

TEST(CrossingTest, StaysFineFarFromTheOrigin) {
  const CrossingBracket root =
      Locate(1e9, 1e9 + 1, [](double t) { return t - (1e9 + 0.125); });
  EXPECT_NEAR(root.after, 1e9 + 0.125, 5e-7);
}

RC_GTEST_PROP(CrossingTest, NeedsHardlyMoreEvaluationsThanBisection, ()) {
  const double root = *rc::gen::inRange(1, 100000) / 100000.0;
  const double power = *rc::gen::element(0.1, 0.5, 1.0, 3.0, 9.0);
  const double scale = std::pow(10.0, *rc::gen::inRange(-12, 13));
  const CrossingBracket found = Locate(0, 1, [&](double t) {
    return scale * std::copysign(std::pow(std::abs(t - root), power), t - root);
  });
  RC_ASSERT(found.before <= root);
  RC_ASSERT(found.after >= root);
  RC_ASSERT(found.after - found.before <= 1.2e-16);
  RC_ASSERT(found.evaluations <= 58);
}

}  // namespace
}  // namespace orrery
