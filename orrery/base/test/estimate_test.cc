#include "orrery/base/numbers/estimate.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace orrery {
namespace {

// Solved from the closed sums of the distribution with 50 digits; 1 and 2 are
// tan(0.475 pi) and 0.95 sqrt(2 / (1 - 0.95^2)).
TEST(EstimateTest, QuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(StudentQuantile(0.95, 1), 12.706204736174705, 1e-11);
  EXPECT_NEAR(StudentQuantile(0.95, 2), 4.302652729749464, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.95, 3), 3.182446305284263, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.95, 4), 2.776445105197793, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.95, 9), 2.262157162798206, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.95, 10), 2.228138851986275, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.95, 29), 2.045229642132704, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.95, 120), 1.979930405082441, 1e-12);
}

// tan(pi c / 2) and c sqrt(2 / (1 - c^2)) for 1 and 2 degrees; the others as
// tables have them.
TEST(EstimateTest, QuantilesAreThoseOfOtherConfidences) {
  EXPECT_NEAR(StudentQuantile(0.5, 1), 1, 1e-15);
  EXPECT_NEAR(StudentQuantile(0.9, 1), 6.313751514675043, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.99, 2), 0.99 * std::sqrt(2 / 0.0199), 1e-11);
  EXPECT_NEAR(StudentQuantile(0.9, 9), 1.833112932656237, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.99, 29), 2.756385903670605, 1e-12);
}

TEST(EstimateTest, QuantilesApproachTheNormalOne) {
  EXPECT_NEAR(StudentQuantile(0.95, 1000), 1.962339080826408, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.95, 1001), 1.962336705280880, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.95, 1'000'000), 1.959966356814104, 1e-14);
}

// 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 32 / 7, by hand.
TEST(EstimateTest, MeanDeviationAndIntervalAreThoseByHand) {
  const std::vector<double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  const Estimate estimate = EstimateMean(values);
  EXPECT_EQ(estimate.count, 8);
  EXPECT_EQ(estimate.mean, 5);
  EXPECT_DOUBLE_EQ(estimate.deviation, std::sqrt(32.0 / 7));
  EXPECT_DOUBLE_EQ(estimate.standard_error(), std::sqrt(32.0 / 7 / 8));
  // t(7) = 2.364624251592785, and 3.499483297350494 for 99 %.
  EXPECT_NEAR(
      estimate.half_width, 2.364624251592785 * std::sqrt(32.0 / 7 / 8), 1e-12);
  EXPECT_NEAR(EstimateMean(values, 0.99).half_width,
              3.499483297350494 * std::sqrt(32.0 / 7 / 8),
              1e-12);
}

TEST(EstimateTest, WhatIsNotFiniteIsLeftOut) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {1, kNone, 3};
  EXPECT_EQ(EstimateMean(values).count, 2);
  EXPECT_EQ(EstimateMean(values).mean, 2);
}

TEST(EstimateTest, FewObservationsSayLittle) {
  EXPECT_EQ(EstimateMean({}).count, 0);
  EXPECT_TRUE(std::isnan(EstimateMean({}).mean));
  const std::vector<double> one = {3};
  EXPECT_EQ(EstimateMean(one).mean, 3);
  EXPECT_TRUE(std::isinf(EstimateMean(one).half_width));
}

}  // namespace
}  // namespace orrery
