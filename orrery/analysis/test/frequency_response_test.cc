#include "orrery/analysis/frequency_response.h"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/analysis/eigen_matrix.h"
#include "orrery/analysis/test/test_system.h"
#include "orrery/base/error.h"

namespace orrery {

namespace internal = analysis::internal;

namespace {

using Complex = std::complex<double>;

// m = 1, c = 0.4, k = 4.
LinearSystem MassSpring() {
  return TransferFunction({1}, {1, 0.4, 4});
}

TEST(FrequencyResponseTest, MassAndSpringFollowTheirBodePlot) {
  const std::array frequencies = {0.1, 1.0, 2.0, 10.0};
  const FrequencyResponse response =
      FrequencyResponseOf(MassSpring(), {}, frequencies);
  const std::array db = {-12.0198944, -9.61895474, 1.93820026, -39.652958};
  const std::array deg = {-0.574374538, -7.59464337, -90.0, -177.614056};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(response.magnitudes_db[i], db[i], 5e-8 * std::abs(db[i]));
    EXPECT_NEAR(response.phases_deg[i], deg[i], 5e-9 * std::abs(deg[i]));
  }
  EXPECT_EQ(response.input, "u1");
  EXPECT_EQ(response.output, "y1");
}

TEST(FrequencyResponseTest, TheResonanceIsFoundToFullPrecision) {
  const auto peak = ResonanceOf(MassSpring(), {});
  ASSERT_TRUE(peak);
  EXPECT_NEAR(peak->frequency, 1.9798989873223332, 4e-15);
  EXPECT_NEAR(peak->magnitude, 1.256297269074015, 4e-15);
  EXPECT_FALSE(ResonanceOf(TransferFunction({1}, {1, 1}), {}));
  EXPECT_FALSE(ResonanceOf(TransferFunction({3}, {1}), {}));
}

TEST(FrequencyResponseTest, ThePhaseFallsOnBeyond180Degrees) {
  // 1/(s + 1)^5: -5 atan(w).
  const std::array frequencies = {0.01, 1.0, 100.0};
  const FrequencyResponse response = FrequencyResponseOf(
      TransferFunction({1}, {1, 5, 10, 10, 5, 1}), {}, frequencies);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(response.phases_deg[i],
                -5 * std::atan(frequencies[i]) * 180 / std::numbers::pi,
                1e-9);
  }
}

TEST(FrequencyResponseTest, ThePhaseIsNotFollowedThroughRounding) {
  // s^5/(s + 1)^10, whose zeros are found near the origin only:
  // 450 - 10 atan(w), less a turn.
  const std::array frequencies = {0.1, 1.0, 10.0};
  const FrequencyResponse response = FrequencyResponseOf(
      TransferFunction({1, 0, 0, 0, 0, 0},
                       {1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1}),
      {},
      frequencies);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(response.phases_deg[i],
                90 - 10 * std::atan(frequencies[i]) * 180 / std::numbers::pi,
                1e-6);
  }
}

TEST(FrequencyResponseTest, APairOfIntegratorsLags180Degrees) {
  const std::array frequencies = {1.0};
  EXPECT_NEAR(
      FrequencyResponseOf(TransferFunction({1}, {1, 0, 0}), {}, frequencies)
          .phases_deg[0],
      -180,
      1e-12);
  EXPECT_NEAR(FrequencyResponseOf(TransferFunction({-2}, {1}), {}, frequencies)
                  .phases_deg[0],
              180,
              1e-12);
}

// L = 10 / (s (s + 1)(s + 5)): phase -180 at w = sqrt(5), where
// |L| = 10/(w sqrt(w^2+1) sqrt(w^2+25)) = 1/3.
TEST(FrequencyResponseTest, MarginsAreThoseOfTheOpenLoop) {
  const LinearSystem loop = TransferFunction({10}, {1, 6, 5, 0});
  const StabilityMargins margins = MarginsOf(loop, {});
  ASSERT_TRUE(margins.gain && margins.phase_deg);
  EXPECT_NEAR(*margins.gain, 3, 1e-12);
  EXPECT_NEAR(margins.gain_frequency, std::sqrt(5.0), 1e-12);
  const double w = margins.phase_frequency;
  EXPECT_NEAR(w * std::hypot(w, 1) * std::hypot(w, 5), 10, 1e-12);
  const double lag =
      90 + (std::atan(w) + std::atan(w / 5)) * 180 / std::numbers::pi;
  EXPECT_NEAR(*margins.phase_deg, 180 - lag, 1e-10);
  const StabilityMargins none = MarginsOf(TransferFunction({0.5}, {1, 1}), {});
  EXPECT_FALSE(none.gain);
  EXPECT_FALSE(none.phase_deg);
}

TEST(FrequencyResponseTest, DefaultFrequenciesFrameThePolesAndSeeSharpPeaks) {
  // A pole of damping 1e-5 at w = 3, another at 200.
  const LinearSystem sharp =
      TransferFunction({1}, {1, 200 + 6e-5, 9 + 0.012, 1800});
  const std::vector<double> grid = DefaultFrequencies(sharp, {});
  EXPECT_TRUE(std::ranges::is_sorted(grid));
  EXPECT_NEAR(grid.front(), 0.1, 1e-12);
  EXPECT_NEAR(grid.back(), 1e4, 1e-6);
  const auto peak = ResonanceOf(sharp, {});
  ASSERT_TRUE(peak);
  EXPECT_NEAR(peak->frequency, 3, 1e-7);
  const FrequencyResponse response = FrequencyResponseOf(sharp, {});
  EXPECT_NEAR(response.phases_deg.back(), -270, 1.5);
  EXPECT_NEAR(*std::ranges::max_element(response.magnitudes_db),
              20 * std::log10(peak->magnitude),
              0.01);
}

TEST(FrequencyResponseTest, AnUndampedPoleLeavesThePhaseDefined) {
  const LinearSystem swing = TransferFunction({1}, {1, 0, 1});
  const FrequencyResponse response = FrequencyResponseOf(swing, {});
  EXPECT_NEAR(response.phases_deg.front(), 0, 1e-9);
  EXPECT_NEAR(std::abs(response.phases_deg.back()), 180, 1e-9);
}

TEST(FrequencyResponseTest, FrequenciesMustBePositiveAndAscending) {
  for (const std::array<double, 2> wrong : {std::array{0.0, 1.0},
                                            std::array{2.0, 1.0},
                                            std::array{1.0, std::nan("")}}) {
    EXPECT_THROW(
        static_cast<void>(FrequencyResponseOf(MassSpring(), {}, wrong)), Error);
  }
}

// C (jw I - A)^-1 B + D, by an inverse.
RC_GTEST_PROP(FrequencyResponseTest,
              IsTheTransferMatrixOnTheImaginaryAxis,
              ()) {
  const int n = *rc::gen::inRange(0, 7);
  const auto draw = [](int rows, int columns) {
    Matrix matrix(static_cast<std::size_t>(rows),
                  static_cast<std::size_t>(columns));
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
      for (std::size_t j = 0; j < matrix.columns(); ++j) {
        matrix(i, j) = *rc::gen::inRange(-20, 21) / 8.0;
      }
    }
    return matrix;
  };
  const LinearSystem system =
      SystemOf(draw(n, n), draw(n, 2), draw(2, n), draw(2, 2));
  const double w = *rc::gen::inRange(1, 200) / 16.0 + 0.01;
  const std::array frequencies = {w};
  Eigen::MatrixXcd expected = internal::ToEigen(system.d).cast<Complex>();
  if (n > 0) {
    Eigen::MatrixXcd pencil = -internal::ToEigen(system.a).cast<Complex>();
    pencil.diagonal().array() += Complex(0, w);
    const Eigen::FullPivLU<Eigen::MatrixXcd> lu(pencil);
    RC_PRE(lu.rcond() > 1e-6);
    expected += internal::ToEigen(system.c).cast<Complex>() *
                lu.solve(internal::ToEigen(system.b).cast<Complex>().eval());
  }
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      const Complex found =
          FrequencyResponseOf(system, {.input = j, .output = i}, frequencies)
              .values[0];
      const Complex wanted =
          expected(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      RC_ASSERT(std::abs(found - wanted) < 1e-9 * (1 + std::abs(wanted)));
    }
  }
}

}  // namespace
}  // namespace orrery
