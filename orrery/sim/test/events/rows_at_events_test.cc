// Rows at the times of events, and obligatory ends of steps.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::HasSubstr;

SimulationOptions ByInterval(Method method, double stop, double interval) {
  SimulationOptions options{
      .stop = stop, .method = method, .interval = interval};
  if (HasFixedStep(method)) {
    options.step = interval;
  }
  return options;
}

// The number of rows at exactly this time.
std::ptrdiff_t RowsAt(const RunResult& run, double t) {
  return std::ranges::count(run.trajectory.time(), t);
}

// Each of the times k*interval has a row, and `x` is `value(t)` in all rows.
template <typename Value>
void ExpectRows(const RunResult& run,
                int intervals,
                double interval,
                const Value& value) {
  EXPECT_EQ(run.summary.message, "");
  for (int k = 0; k <= intervals; ++k) {
    const double t = k == intervals ? run.trajectory.time().back()
                                    : std::round(k * interval * 1e6) / 1e6;
    EXPECT_GE(RowsAt(run, t), 1) << t;
  }
  for (std::size_t i = 0; i < run.trajectory.rows(); ++i) {
    EXPECT_NEAR(run["x"][i], value(run.trajectory.time()[i]), 1e-7);
  }
}

class RowAtEventTest : public testing::TestWithParam<Method> {};

// x falls to 0.5 at 0.5 s: the when-clause only re-arms there.
TEST_P(RowAtEventTest, IsKeptWhereAConditionReArms) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 1, fixed = true);"
                           "Integer n(start = 0, fixed = true);"
                           "equation der(x) = -1;"
                           "when x > 0.5 then n = pre(n) + 1; end when;"),
               ByInterval(GetParam(), 1, 0.1));
  ExpectRows(run, 10, 0.1, [](double t) { return 1 - t; });
  EXPECT_EQ(run.trajectory.rows(), 11);
  EXPECT_EQ(run["n"].final(), 0);
}

// At 0.3, 0.5 and 0.7 s, in both directions; no recorded signal changes.
TEST_P(RowAtEventTest, IsKeptAtSeveralThresholds) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 0, fixed = true); Boolean a, b, c;"
                           "equation der(x) = 1; a = x >= 0.3; b = x < 0.5;"
                           "c = x > 0.7;"),
               [] {
                 SimulationOptions options = ByInterval(GetParam(), 1, 0.1);
                 options.record = {"x"};
                 return options;
               }());
  ExpectRows(run, 10, 0.1, [](double t) { return t; });
}

// n becomes 1 at 0.4 s, where both limits are rows.
TEST_P(RowAtEventTest, IsKeptWhereAnEventShows) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 0, fixed = true);"
                           "Integer n(start = 0, fixed = true);"
                           "equation der(x) = 1;"
                           "when x >= 0.4 then n = pre(n) + 1; end when;"),
               ByInterval(GetParam(), 1, 0.1));
  ExpectRows(run, 10, 0.1, [](double t) { return t; });
  EXPECT_EQ(run["n"].final(), 1);
}

// sin(time) reaches sin(0.6) at the row of 0.6 s.
TEST_P(RowAtEventTest, IsKeptAtTheThresholdOfACurvedState) {
  const RunResult run = Simulate(
      CompileBody("Real x(start = 0, fixed = true), v(start = 1, fixed = true);"
                  "Boolean b; equation der(x) = v; der(v) = -x;"
                  "b = x > sin(0.6);"),
      [] {
        SimulationOptions options = ByInterval(GetParam(), 1, 0.1);
        options.tolerance = 1e-9;
        return options;
      }());
  for (int k = 0; k <= 10; ++k) {
    EXPECT_GE(RowsAt(run, k / 10.0), 1) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(AllMethods,
                         RowAtEventTest,
                         testing::Values(Method::kAuto,
                                         Method::kDormandPrince5,
                                         Method::kDormandPrince8,
                                         Method::kTaylor,
                                         Method::kRosenbrock,
                                         Method::kCvodeBdf,
                                         Method::kCvodeAdams,
                                         Method::kIda,
                                         Method::kEuler,
                                         Method::kMidpoint,
                                         Method::kRungeKutta4,
                                         Method::kTrapezoid,
                                         Method::kImplicitEuler,
                                         Method::kAdamsBashforth2),
                         [](const auto& method) {
                           std::string name(NameOf(method.param).name);
                           std::erase(name, '-');
                           return name;
                         });

TEST(RowAtEventTest, IsKeptAtTheStartAndAtTheStop) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 0, fixed = true); Boolean a, b;"
                           "equation der(x) = 1; a = x > 0; b = x >= 1;"),
               {.stop = 1, .interval = 0.25, .record = {"x"}});
  ExpectRows(run, 4, 0.25, [](double t) { return t; });
}

// From 1 at t = 0, the circle's next points by explicit Euler: (0.4, 1) after
// 0.4 s and, of a step of 0.1 s, (0.5, 0.96).
constexpr const char* kStepCircle =
    "Real b1(start = 0, fixed = true), b2(start = 1, fixed = true);"
    "equation der(b1) = b2; der(b2) = -b1;";

std::size_t RowOf(const RunResult& run, double t) {
  const auto& time = run.trajectory.time();
  return static_cast<std::size_t>(std::ranges::find(time, t) - time.begin());
}

TEST(StepTimesTest, AStepEndsThereAndTheNextOnTheGrid) {
  const RunResult run = Simulate(CompileBody(kStepCircle),
                                 {.stop = 0.8,
                                  .method = Method::kEuler,
                                  .step = 0.4,
                                  .step_times = {0.5}});
  EXPECT_THAT(run.trajectory.time(), testing::ElementsAre(0, 0.4, 0.5, 0.8));
  EXPECT_NEAR(run["b1"][2], 0.5, 1e-15);
  EXPECT_NEAR(run["b2"][2], 0.96, 1e-15);
  EXPECT_NEAR(run["b1"][3], 0.5 + 0.3 * 0.96, 1e-15);
  EXPECT_NEAR(run["b2"][3], 0.96 - 0.3 * 0.5, 1e-15);
}

// Between 0.4 and 0.8 s the cubic through both ends and slopes.
TEST(StepTimesTest, OutputTimesDoNotShortenAStep) {
  const RunResult run = Simulate(CompileBody(kStepCircle),
                                 {.stop = 0.8,
                                  .method = Method::kEuler,
                                  .step = 0.4,
                                  .output_times = {0.5}});
  EXPECT_EQ(run.summary.steps, 2);
  EXPECT_NEAR(run["b1"][RowOf(run, 0.5)], 0.503, 1e-3);
}

TEST(StepTimesTest, ComeInAnyOrderBesideOthersAndOnce) {
  const RunResult run = Simulate(CompileBody(kStepCircle),
                                 {.stop = 1,
                                  .method = Method::kRungeKutta4,
                                  .step = 0.25,
                                  .output_times = {0.6},
                                  .step_times = {0.8, 0.3, 0.5, 0.3}});
  EXPECT_THAT(run.trajectory.time(),
              testing::ElementsAre(0, 0.25, 0.3, 0.5, 0.6, 0.75, 0.8, 1));
  EXPECT_EQ(run.summary.steps, 6);
}

TEST(StepTimesTest, AnAdaptiveMethodEndsAStepThereToo) {
  const RunResult with = Simulate(CompileBody(kStepCircle),
                                  {.stop = 1,
                                   .method = Method::kDormandPrince8,
                                   .interval = 1,
                                   .step_times = {0.123, 0.456}});
  EXPECT_THAT(with.trajectory.time(), testing::ElementsAre(0, 0.123, 0.456, 1));
  EXPECT_NEAR(with["b1"][1], std::sin(0.123), 1e-9);
  EXPECT_NEAR(with["b1"][2], std::sin(0.456), 1e-9);
}

TEST(StepTimesTest, ThoseOutsideOfTheRunAreRefused) {
  const auto program = CompileBody(kStepCircle);
  EXPECT_THAT(
      MessageOf([&] {
        CheckOptions(*program, {.stop = 1, .step_times = {2}});
        return 0;
      }),
      HasSubstr("a step is to end at 2 s, and the run is from 0 to 1 s; leave "
                "that step time out, or run further"));
}

}  // namespace
}  // namespace orrery
