#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/experiment/measures/measure.h"

namespace orrery {
namespace {

constexpr double kPi = std::numbers::pi;

// Computes a measure of a formula that varies faster than its signals: y = t in
// rows 10 s apart, and x = 4*(t/30)*(1 - t/30), whose slope is recorded.
double Of(const std::string& text, double stop = 30) {
  TrajectoryBuilder builder({{.name = "y", .column = 0},
                             {.name = "x", .column = 1, .derivative = 2},
                             {.name = "der(x)", .column = 2}});
  for (double t = 0; t <= stop; t += 10) {
    const double part = t / 30;
    builder.Append(
        t,
        std::vector<double>{t, 4 * part * (1 - part), 4 * (1 - 2 * part) / 30});
  }
  const Trajectory run = builder.Take();
  return Measure(text, *run.table()).Of(run);
}

TEST(SwiftMeasureTest, ConditionsAreFollowedThroughAllPeriods) {
  // 238 periods and 0.73 of one.
  EXPECT_NEAR(Of("duration(sin(50*time) > 0.999)"),
              239 * 2 * std::acos(0.999) / 50,
              1e-10);
  EXPECT_EQ(Of("count(sin(50*time) > 0.999)"), 239);
  EXPECT_NEAR(Of("first(sin(50*time) > 0.999)"), std::asin(0.999) / 50, 1e-12);
  EXPECT_EQ(Of("count(sin(50*y) > 0)", 1000), 7958);
}

TEST(SwiftMeasureTest, ATopThatBarelyReachesALimitIsFound) {
  EXPECT_EQ(Of("count(sin(50*time) > 0.9999999)"), 239);
  EXPECT_NEAR(Of("duration(sin(50*time) >= 1 - 1e-6)"),
              239 * 2 * std::acos(1 - 1e-6) / 50,
              1e-8);
}

TEST(SwiftMeasureTest, OverlapsOfConditionsAreFoundHoweverShort) {
  EXPECT_NEAR(Of("duration(sin(time) > 0.5 and sin(time) < 0.501)", 10),
              4 * (std::asin(0.501) - std::asin(0.5)),
              1e-10)
      << "up and down, twice";
  EXPECT_NEAR(Of("duration(y > 7 and time < 7.0001)"), 1e-4, 1e-12);
  EXPECT_EQ(Of("count(y > 7 and time < 7.0001)"), 1);
}

// y reaches 1 at the end of a piece, by one double, and then jumps.
TEST(SwiftMeasureTest, ACrossingAtAnEventComesBeforeTheJump) {
  const double above = std::nextafter(1.0, 2.0);
  TrajectoryBuilder builder({{.name = "y", .column = 0}});
  builder.Append(0, std::vector{0.0});
  builder.Append(1, std::vector{above});
  builder.Append(1, std::vector{0.5});
  builder.Append(2, std::vector{0.5});
  const Trajectory run = builder.Take();
  const auto of = [&](const std::string& text) {
    return Measure(text, *run.table()).Of(run);
  };
  EXPECT_EQ(of("count(y > 1)"), 1);
  EXPECT_NEAR(of("first(y > 1)"), 1, 1e-15);
  EXPECT_NEAR(of("duration(y > 1)"), 0, 1e-15);
}

TEST(SwiftMeasureTest, ExtremesAreThoseOfAllPeriods) {
  // The tops of sin(50*t) + x are where cos(50*t) = -x'/50; the highest one
  // is the nearest to x's top.
  const double k = std::round((15 * 50 / kPi - 0.5) / 2);
  double t = (0.5 + 2 * k) * kPi / 50;
  for (int i = 0; i < 5; ++i) {
    t -= (50 * std::cos(50 * t) + 4 * (1 - t / 15) / 30) /
         (-2500 * std::sin(50 * t));
  }
  const double value = std::sin(50 * t) + 4 * (t / 30) * (1 - t / 30);
  EXPECT_NEAR(Of("max(sin(50*time) + x)"), value, 1e-13);
  EXPECT_NEAR(Of("time_of_max(sin(50*time) + x)"), t, 1e-8);
  EXPECT_NEAR(Of("min(-x - sin(50*time))"), -value, 1e-13);
}

TEST(SwiftMeasureTest, IntegralsAreThoseOfAllPeriods) {
  const double periods = 1500 / kPi;
  const double rest = 1500 - std::floor(periods) * kPi;
  EXPECT_NEAR(
      Of("integral(sin(50*time)^2)"), 15 - std::sin(3000.0) / 200, 1e-11);
  EXPECT_NEAR(Of("integral(abs(sin(50*time)))"),
              (2 * std::floor(periods) + 1 - std::cos(rest)) / 50,
              1e-9);
  EXPECT_NEAR(Of("mean(mod(time, 0.1))"), 0.05, 1e-9);
  EXPECT_NEAR(Of("rms(sin(50*y))", 1000),
              std::sqrt(0.5 - std::sin(100000.0) / 200 / 1000),
              1e-12);
}

TEST(SwiftMeasureTest, TimesOfResponsesAreThoseOfTheFormula) {
  // Stays within 2% of 1 as soon as exp(-t)*cos(50*t) does: after its last
  // extreme beyond.
  const auto outside = [](double t) {
    return std::exp(-t) * std::abs(std::cos(50 * t)) > 0.02;
  };
  double last = 4;
  while (!outside(last)) {
    last -= 1e-6;
  }
  EXPECT_NEAR(
      Of("settling_time(1 - exp(-time)*cos(50*time), 2%, 1)"), last, 2e-6);
}

TEST(SwiftMeasureTest, ABumpInALongRowIsSeen) {
  // exp(-u^2) > 1/2 for |u| < sqrt(log(2)), u = (t - 7)/0.01.
  EXPECT_NEAR(Of("duration(exp(-((time - 7)/0.01)^2) > 0.5)"),
              0.02 * std::sqrt(std::numbers::ln2),
              1e-10);
  EXPECT_NEAR(Of("max(exp(-((time - 7)/0.01)^2))"), 1, 1e-15);
  EXPECT_NEAR(
      Of("integral(exp(-((y - 7)/0.01)^2))"), 0.01 * std::sqrt(kPi), 1e-12);
}

TEST(SwiftMeasureTest, JumpsAndPolesEndTheHalving) {
  EXPECT_EQ(Of("count(floor(time) > 4.5)"), 1);
  EXPECT_NEAR(Of("first(floor(time) > 4.5)"), 5, 1e-12);
  EXPECT_NEAR(Of("duration(mod(time, 0.1) > 0.095)"), 300 * 0.005, 1e-9);
  EXPECT_NEAR(Of("duration(1/(y - 7.3) > 2)"), 0.5, 1e-9);
  EXPECT_TRUE(std::isnan(Of("max(sin(sqrt(-1 - y)))")));
}

}  // namespace
}  // namespace orrery
