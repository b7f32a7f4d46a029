// Transport along a way, spatialDistribution (specification 3.6, section
// 3.7.4.2), against solutions along characteristics: z(y, t) is what entered at
// the time at which the position was as the way to y asks for.

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

constexpr double kHalfTurn = std::numbers::pi;

RunResult RunTransport(const std::string& body,
                       double stop,
                       Method method = Method::kAuto) {
  RunResult run = Simulate(CompileBody(body),
                           {.stop = stop,
                            .tolerance = 1e-9,
                            .absolute_tolerance = 1e-10,
                            .method = method,
                            .interval = stop / 200});
  EXPECT_TRUE(run.summary.completed()) << run.summary.message;
  return run;
}

// The rows at `t`, to the bit or nearly.
std::vector<double> RowsAt(const RunResult& run,
                           const std::string& name,
                           double t) {
  std::vector<double> values;
  const auto times = run.trajectory.time();
  for (std::size_t row = 0; row < times.size(); ++row) {
    if (std::abs(times[row] - t) < 1e-8) {
      values.push_back(run[name][row]);
    }
  }
  return values;
}

class TransportMethodTest : public testing::TestWithParam<Method> {};

TEST_P(TransportMethodTest, AConstantSpeedDelays) {
  const RunResult run = RunTransport(R"(
  Real x(start = 0.3, fixed = true), a, b;
equation
  der(x) = 0.5;
  (a, b) = spatialDistribution(sin(3*time), 0, x, true, {0, 1}, {7, 5});
)",
                                     6,
                                     GetParam());
  const auto times = run.trajectory.time();
  for (std::size_t row = 0; row < times.size(); ++row) {
    const double t = times[row];
    if (std::abs(t - 2) > 1e-9) {  // There, 7 is followed by 0.
      EXPECT_NEAR(run["b"][row], t < 2 ? 5 + t : std::sin(3 * (t - 2)), 1e-7)
          << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         TransportMethodTest,
                         testing::Values(Method::kAuto,
                                         Method::kDormandPrince5,
                                         Method::kRosenbrock,
                                         Method::kCvodeBdf,
                                         Method::kIda));

// The position is 0.3 sin(t): what enters at one end does not reach the other.
constexpr const char* kReversing = R"(
  Real x(start = 0, fixed = true), v = 0.3*cos(time), a, b;
equation
  der(x) = v;
  (a, b) = spatialDistribution(
    in0 = exp(-time), in1 = 2 + time, x = x, positiveVelocity = v >= 0,
    initialPoints = {0, 0.5, 1}, initialValues = {10, 12, 10});
)";

double OnWayAtStart(double y) {
  return 12 - 4 * std::abs(y - 0.5);
}

TEST(TransportTest, TheOutletOfABackwardFlowIsExact) {
  const RunResult run = RunTransport(kReversing, 1.5 * kHalfTurn);
  const auto times = run.trajectory.time();
  for (std::size_t row = 0; row < times.size(); ++row) {
    const double t = times[row];
    // At half a turn, what entered is followed by what was there: a jump.
    if (t > kHalfTurn / 2 + 1e-6 && t < 1.5 * kHalfTurn - 1e-6 &&
        std::abs(t - kHalfTurn) > 1e-6) {
      EXPECT_NEAR(run["a"][row],
                  t < kHalfTurn ? std::exp(-(kHalfTurn - t))
                                : OnWayAtStart(0.3 * std::abs(std::sin(t))),
                  1e-7)
          << t;
    }
  }
}

TEST(TransportTest, TheOutletOfAForwardFlowIsExact) {
  const RunResult run = RunTransport(kReversing, 2.5 * kHalfTurn);
  const auto times = run.trajectory.time();
  for (std::size_t row = 0; row < times.size(); ++row) {
    const double t = times[row];
    if (t < kHalfTurn / 2 - 1e-6) {
      EXPECT_NEAR(run["b"][row], OnWayAtStart(1 - 0.3 * std::sin(t)), 1e-7)
          << t;
    } else if (t > 1.5 * kHalfTurn + 1e-6 && t < 2.5 * kHalfTurn - 1e-6) {
      EXPECT_NEAR(run["b"][row], 2 + 3 * kHalfTurn - t, 1e-6) << t;
    }
  }
}

TEST(TransportTest, AJumpIsAnEventWhenItArrives) {
  const RunResult run = RunTransport(R"(
  Real x(start = 0, fixed = true), b, n(start = 0, fixed = true);
equation
  der(x) = 0.8;
  (, b) = spatialDistribution(if time < 1 then 0 else 4, 0, x, true);
  when b > 2 then
    reinit(n, time);
  end when;
  der(n) = 0;
)",
                                     3);
  EXPECT_THAT(RowsAt(run, "b", 1 + 1 / 0.8),
              testing::IsSupersetOf({testing::DoubleNear(0, 1e-9),
                                     testing::DoubleNear(4, 1e-9)}));
  EXPECT_NEAR(run["n"].final(), 2.25, 1e-8);
}

TEST(TransportTest, WhatEntersMayBeMadeOfAnArray) {
  const RunResult run = RunTransport(R"(
  Real x(start = 0, fixed = true), w[2] = {time, 2}, b;
equation
  der(x) = 1;
  (, b) = spatialDistribution(w*w, 0, x, true, {0, 1}, {5, 5});
)",
                                     3);
  EXPECT_NEAR(run["b"].final(), 2 * 2 + 2 * 2, 1e-6);
}

TEST(TransportTest, TwoPointsAtOnePlaceAreAJump) {
  const RunResult run = RunTransport(R"(
  Real x(start = 0, fixed = true), b;
equation
  der(x) = 0.25;
  (, b) = spatialDistribution(0, 0, x, true, {0, 0.5, 0.5, 1}, {1, 1, 3, 3});
)",
                                     4);
  EXPECT_THAT(RowsAt(run, "b", 2),
              testing::IsSupersetOf({testing::DoubleNear(3, 1e-12),
                                     testing::DoubleNear(1, 1e-12)}));
}

TEST(TransportTest, AFlowThatRestsKeepsWhatIsThere) {
  const RunResult run = RunTransport(R"(
  Real x(start = 0, fixed = true), b, v = if time > 1 and time < 3 then 0 else 0.5;
equation
  der(x) = v;
  (, b) = spatialDistribution(time, -1, x, v >= 0);
)",
                                     6);
  // All that entered up to 1 s comes 2 s of flow later, with 2 s of rest.
  EXPECT_NEAR(RowsAt(run, "b", 4.5).front(), 0.5, 1e-8);
  EXPECT_NEAR(RowsAt(run, "b", 5.4).front(), 3.4, 1e-8);
}

TEST(TransportTest, CarriesVectorsWithPointsForEach) {
  const RunResult run = RunTransport(R"(
  Real x(start = 0, fixed = true), a[2], b[2];
equation
  der(x) = 1;
  (a, b) = spatialDistribution(
    {time, 2*time}, {0, 0}, x, true, {0, 1}, [1, 2; 30, 40]);
)",
                                     3);
  EXPECT_NEAR(RowsAt(run, "b[1]", 0.6).front(), 1.4, 1e-9);
  EXPECT_NEAR(RowsAt(run, "b[2]", 0.6).front(), 34, 1e-9);
  EXPECT_NEAR(run["b[1]"].final(), 2, 1e-8);
  EXPECT_NEAR(run["b[2]"].final(), 4, 1e-8);
}

TEST(TransportTest, AStepIsShorterThanTheWay) {
  // The way is passed 1,000 times a second; the solver's steps could be longer.
  const RunResult run = RunTransport(R"(
  Real x(start = 0, fixed = true), b, q(start = 0, fixed = true);
equation
  der(x) = 1000;
  (, b) = spatialDistribution(time, 0, x, true);
  der(q) = b;
)",
                                     0.5);
  EXPECT_NEAR(run["b"].final(), 0.499, 1e-9);
  EXPECT_NEAR(run["q"].final(), 0.499 * 0.499 / 2, 1e-7);
}

TEST(TransportTest, AFineGridOfVolumesComesNear) {
  const RunResult run = RunTransport(R"(
  parameter Integer n = 400;
  Real x(start = 0, fixed = true), b, z[n](each start = 0, each fixed = true);
  Real v = 0.5 + 0.2*sin(time), input0 = 1 - cos(time);
equation
  der(x) = v;
  (, b) = spatialDistribution(input0, 0, x, true);
  der(z[1]) = v*n*(input0 - z[1]);
  for i in 2:n loop
    der(z[i]) = v*n*(z[i - 1] - z[i]);
  end for;
)",
                                     8);
  const auto times = run.trajectory.time();
  for (std::size_t row = 0; row < times.size(); ++row) {
    EXPECT_NEAR(run["b"][row], run["z[400]"][row], 0.02) << times[row];
  }
}

TEST(TransportTest, AWayMayCloseALoop) {
  // y(t) = k y(t - 2) + 1 - k with y = 0 before: 1 - k^n after n passages.
  const RunResult run = RunTransport(R"(
  Real x(start = 0, fixed = true), a, b, y;
equation
  der(x) = 0.5;
  (a, b) = spatialDistribution(y, 0, x, true);
  y = 0.25*b + 0.75;
)",
                                     7);
  EXPECT_NEAR(run["b"].final(), 1 - 0.25 * 0.25 * 0.25, 1e-9);
}

// Errors ----------------------------------------------------------------------

std::string TransportErrorOf(const std::string& call) {
  return MessageOf([&] {
    return CompileBody(
        "  Real x = time, a, b; parameter Real p(fixed = false);\n"
        "initial equation p = 1;\nequation\n  (a, b) = " +
        call + ";\n");
  });
}

TEST(TransportTest, SaysThatPointsGoBack) {
  EXPECT_THAT(
      TransportErrorOf(
          "spatialDistribution(1, 2, x, true, {0, 0.7, 0.6}, {1, 1, 1})"),
      HasSubstr("the points at the start go back from 0.7 to 0.6"));
}

TEST(TransportTest, SaysThatAPointIsOutside) {
  EXPECT_THAT(
      TransportErrorOf("spatialDistribution(1, 2, x, true, {0, 2}, {1, 1})"),
      HasSubstr("a point at the start is at 2, but the way goes from 0 "
                "to 1"));
}

TEST(TransportTest, SaysThatValuesAreMissing) {
  EXPECT_THAT(TransportErrorOf(
                  "spatialDistribution(1, 2, x, true, {0, 0.5, 1}, {1, 2})"),
              HasSubstr("there are 3 points at the start, but 2 values"));
}

TEST(TransportTest, SaysThatValuesVary) {
  EXPECT_THAT(
      TransportErrorOf("spatialDistribution(1, 2, x, true, {0, 1}, {x, 2})"),
      HasSubstr("what is on the way at the start depends on 'x'"));
}

TEST(TransportTest, SaysThatTheEndsCarryDifferentNumbersOfQuantities) {
  EXPECT_THAT(TransportErrorOf("spatialDistribution({1, 2}, 2, x, true)"),
              HasSubstr("what enters at both ends must be of one size"));
}

}  // namespace
}  // namespace orrery
