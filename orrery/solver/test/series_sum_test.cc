#include "orrery/solver/adaptive/series_sum.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace orrery::solver::internal {
namespace {

// The series of exp(theta) and exp(-theta), without their first terms.
std::vector<double> Coefficients(int order) {
  std::vector<double> coefficients;
  double factorial = 1;
  for (int k = 1; k <= order; ++k) {
    factorial *= k;
    coefficients.push_back(1 / factorial);
    coefficients.push_back(std::pow(-1, k) / factorial);
  }
  return coefficients;
}

TEST(SeriesSumTest, SumsAreThoseOfTheSeriesAndOfItsDerivative) {
  constexpr double kTheta = 0.75;
  std::array<double, 2> sums{};
  std::array<double, 2> slopes{};
  SumSeries(Coefficients(20), kTheta, sums, slopes);
  EXPECT_NEAR(sums[0], std::expm1(kTheta), 3e-16);
  EXPECT_NEAR(sums[1], std::expm1(-kTheta), 2e-16);
  EXPECT_NEAR(slopes[0], kTheta * std::exp(kTheta), 7.5e-16);
  EXPECT_NEAR(slopes[1], -kTheta * std::exp(-kTheta), 7.5e-16);
}

TEST(SeriesSumTest, APartOfAnOddNumberOfTermsIsCountedAsTheOther) {
  std::array<double, 1> sum{};
  std::array<double, 1> slope{};
  SumSeries(std::array{1.0, 10.0, 100.0, 1000.0, 10000.0}, 2, sum, slope);
  EXPECT_EQ(sum[0], 2 + 40 + 800 + 16000 + 320000);
  EXPECT_EQ(slope[0], 2 + 80 + 2400 + 64000 + 1600000);
}

TEST(SeriesSumTest, TwoTermsAreAPartEach) {
  std::array<double, 1> sum{};
  std::array<double, 1> slope{};
  SumSeries(std::array{2.5, -0.5}, 4, sum, slope);
  EXPECT_EQ(sum[0], 2);
  EXPECT_EQ(slope[0], -6);
}

}  // namespace
}  // namespace orrery::solver::internal
