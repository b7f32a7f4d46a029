#include "orrery/solver/internal/series_sum.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace orrery::internal {
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
  EXPECT_NEAR(sums[0], std::expm1(kTheta) / kTheta, 4e-16);
  EXPECT_NEAR(sums[1], std::expm1(-kTheta) / kTheta, 4e-16);
  EXPECT_NEAR(slopes[0], std::exp(kTheta), 1e-15);
  EXPECT_NEAR(slopes[1], -std::exp(-kTheta), 1e-15);
}

TEST(SeriesSumTest, EachCoefficientIsAddedWithOneRounding) {
  const std::vector<double> coefficients = Coefficients(3);
  constexpr double kTheta = 1.0 / 3;
  std::array<double, 2> sums{};
  std::array<double, 2> slopes{};
  SumSeries(coefficients, kTheta, sums, slopes);
  for (std::size_t i = 0; i < 2; ++i) {
    const double last = coefficients[4 + i];
    const double sum = std::fma(last, kTheta, coefficients[2 + i]);
    const double slope = std::fma(last, kTheta, sum);
    EXPECT_EQ(sums[i], std::fma(sum, kTheta, coefficients[i]));
    EXPECT_EQ(slopes[i], std::fma(slope, kTheta, sums[i]));
  }
}

TEST(SeriesSumTest, ASingleCoefficientIsItsSum) {
  double sum = 0;
  double slope = 0;
  SumSeries(std::array{2.5}, 7, {&sum, 1}, {&slope, 1});
  EXPECT_EQ(sum, 2.5);
  EXPECT_EQ(slope, 2.5);
}

}  // namespace
}  // namespace orrery::internal
