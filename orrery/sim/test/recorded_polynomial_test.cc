#include "orrery/sim/machine/recorded_polynomial.h"

#include <cmath>
#include <cstddef>
#include <functional>

#include <gtest/gtest.h>

namespace orrery::sim::internal {
namespace {

RecordSamples Sampled(const std::function<double(double)>& f) {
  RecordSamples samples{};
  for (std::size_t k = 0; k < samples.size(); ++k) {
    samples[k] = f(kRecordNodes[k]);
  }
  return samples;
}

double ValueOf(const DelayHistory::Polynomial& c, double theta) {
  double value = 0;
  for (std::size_t k = c.size(); k-- > 0;) {
    value = value * theta + c[k];
  }
  return value;
}

TEST(RecordedPolynomialTest, APolynomialOfDegreeSixComesOutExactly) {
  const auto f = [](double u) {
    return 3 - u + 2 * std::pow(u, 5) + std::pow(u, 6);
  };
  const auto fitted = FitPolynomial(Sampled(f));
  for (const double u : {-0.9, -0.1, 0.3, 0.77}) {
    EXPECT_NEAR(ValueOf(fitted, u), f(u), 1e-13) << u;
  }
}

TEST(RecordedPolynomialTest, WhatEntersLastAtTheFrontIsLeast) {
  // The position grows evenly by 2, the value with it.
  const AlongPolynomial along =
      FitAlong(Sampled([](double u) { return 5 + u; }),
               Sampled([](double u) { return 10 + u; }));
  EXPECT_TRUE(along.is_resolved(1e-9, 1e-12));
  EXPECT_NEAR(ValueOf(along.polynomial, -1), 11, 1e-14);
  EXPECT_NEAR(ValueOf(along.polynomial, 0.5), 9.5, 1e-14);
}

TEST(RecordedPolynomialTest, WhatEntersLastAtTheBackIsGreatest) {
  const AlongPolynomial along =
      FitAlong(Sampled([](double u) { return 5 - u; }),
               Sampled([](double u) { return 10 + u; }));
  EXPECT_NEAR(ValueOf(along.polynomial, -1), 9, 1e-14);
  EXPECT_NEAR(ValueOf(along.polynomial, 0.5), 10.5, 1e-14);
}

TEST(RecordedPolynomialTest, AMotionThatSpeedsUpSpreadsWhatEnters) {
  // x = (1 + u)^2 up to 4 and the value u: along the way it is
  // sqrt(2 (1 - theta)) - 1, which is smooth where the motion is fast.
  const auto motion = [](double u) {
    return std::pow(1.5 + 0.5 * u, 2);
  };
  const AlongPolynomial along =
      FitAlong(Sampled(motion), Sampled([](double u) { return u; }));
  for (const double theta : {-1.0, -0.4, 0.2, 1.0}) {
    const double x = 2.5 - 1.5 * theta;  // From 4 down to 1.
    EXPECT_NEAR(ValueOf(along.polynomial, theta), 2 * std::sqrt(x) - 3, 1e-4);
  }
}

TEST(RecordedPolynomialTest, AMotionThatTurnsIsNotResolved) {
  const AlongPolynomial along =
      FitAlong(Sampled([](double u) { return u * u + 0.1 * u; }),
               Sampled([](double u) { return u; }));
  EXPECT_FALSE(along.is_monotone);
  EXPECT_FALSE(along.is_resolved(1e-3, 1e-3));
}

TEST(RecordedPolynomialTest, NothingEntersAtRest) {
  const AlongPolynomial along = FitAlong(Sampled([](double) { return 7; }),
                                         Sampled([](double u) { return u; }));
  EXPECT_TRUE(along.is_resolved(1e-9, 1e-9));
  EXPECT_EQ(along.polynomial[0], 1);
  EXPECT_EQ(along.polynomial[1], 0);
}

TEST(RecordedPolynomialTest, AKinkIsNotResolved) {
  EXPECT_FALSE(IsResolved(
      FitPolynomial(Sampled([](double u) { return std::abs(u - 0.2); })),
      1e-6,
      1e-9));
}

}  // namespace
}  // namespace orrery::sim::internal
