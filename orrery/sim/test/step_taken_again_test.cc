// Steps that are wrong and taken again: across kinks, and too long after an
// event.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

RunResult RunOf(const std::string& body, const SimulationOptions& options) {
  RunResult run = Simulate(CompileBody(body), options);
  EXPECT_GE(run.trajectory.rows(), 2U);
  return run;
}

double LastOf(const RunResult& run, const std::string& name) {
  return run.trajectory[name][run.trajectory.rows() - 1];
}

SimulationOptions By(Method method, double stop) {
  SimulationOptions options;
  options.method = method;
  options.stop = stop;
  if (HasFixedStep(method)) {
    options.step = 0.1;
  } else {
    options.tolerance = 1e-9;
  }
  return options;
}

// A pulse of area 1, a tenth of a step wide.
constexpr const char* kPulse =
    "parameter Real w = 0.01;"
    "Real s(start = 0, fixed = true); Real x(start = 0, fixed = true);"
    "equation der(s) = 1; der(x) = max(0, 1 - abs(s - 6.1234)/w)/w;";

class PulseTest : public testing::TestWithParam<Method> {};

TEST_P(PulseTest, OfWhichOneStepWouldSeeAPointCountsInFull) {
  const RunResult run = RunOf(kPulse, By(GetParam(), 10));
  EXPECT_NEAR(LastOf(run, "x"), 1, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(AllMethods,
                         PulseTest,
                         testing::Values(Method::kDormandPrince5,
                                         Method::kDormandPrince8,
                                         Method::kTaylor,
                                         Method::kRosenbrock,
                                         Method::kCvodeBdf,
                                         Method::kCvodeAdams,
                                         Method::kIda,
                                         Method::kMidpoint,
                                         Method::kHeun,
                                         Method::kTrapezoid,
                                         Method::kRungeKutta4),
                         [](const auto& method) {
                           std::string name(NameOf(method.param).name);
                           std::erase(name, '-');
                           return name;
                         });

// Both methods are exact between kinks, so the result is; the first order would
// count areas by one side.
TEST(StepTakenAgainTest, AnIntegralOfAnAbsoluteValueIsExactAcrossItsKink) {
  for (const Method method : {Method::kDormandPrince5, Method::kHeun}) {
    const RunResult run = RunOf(
        "Real x(start = -1, fixed = true); Real y(start = 0, fixed = true);"
        "equation der(x) = 1; der(y) = abs(x);",
        By(method, 3));
    EXPECT_NEAR(LastOf(run, "y"), 2.5, 1e-14);
  }
}

// x = t to the kink at 1, then (e^(5(t - 1)) + 4)/5: the kink depends on x.
TEST(StepTakenAgainTest, AKinkIsWhereTheStateThatItBendsHasIt) {
  const RunResult run = RunOf(
      "Real x(start = 0, fixed = true); equation der(x) = 1 + 5*max(0, x - 1);",
      By(Method::kDormandPrince8, 2));
  EXPECT_NEAR(LastOf(run, "x"), (std::exp(5.0) + 4) / 5, 1e-8);
}

TEST(StepTakenAgainTest, AStepThatWasTakenBackCountsAsRejected) {
  const RunResult run = RunOf(kPulse, By(Method::kHeun, 10));
  EXPECT_EQ(run.summary.rejected_steps, 3);
}

class ZenoTest : public testing::TestWithParam<Method> {};

// h = 1 m, e = 0.7: sqrt(2h/g)(1 + e)/(1 - e) = 2.5586 s. Methods of the first
// order with a step of 1 ms find it to some percent.
TEST_P(ZenoTest, ABallDoesNotFallThroughTheFloor) {
  SimulationOptions options = By(GetParam(), 10);
  if (HasFixedStep(GetParam())) {
    options.step = 0.001;
  }
  const RunResult run = RunOf(
      "Real h(start = 1, fixed = true); Real v(start = 0, fixed = true);"
      "equation der(h) = v; der(v) = -9.81;"
      "when h < 0 then reinit(v, -0.7*pre(v)); end when;",
      options);
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_NEAR(run.summary.end_time, 2.5586, 0.1);
  EXPECT_GT(LastOf(run, "h"), -1e-20);
}

INSTANTIATE_TEST_SUITE_P(AllMethods,
                         ZenoTest,
                         testing::Values(Method::kDormandPrince5,
                                         Method::kTaylor,
                                         Method::kRosenbrock,
                                         Method::kCvodeBdf,
                                         Method::kCvodeAdams,
                                         Method::kIda,
                                         Method::kSymplecticEuler,
                                         Method::kImplicitEuler,
                                         Method::kHeun,
                                         Method::kRungeKutta4),
                         [](const auto& method) {
                           std::string name(NameOf(method.param).name);
                           std::erase(name, '-');
                           return name;
                         });

// sin(t) < t from the start on, but by t^3/6: less than rounding for 1e-5 s. A
// change that is foreseen there vanishes in the step that is taken again.
TEST(StepTakenAgainTest, WhatRoundingChangesDoesNotCutStepAfterStep) {
  SimulationOptions options = By(Method::kDormandPrince5, 1);
  options.tolerance = 1e-6;
  options.max_steps = 10'000;
  const RunResult run = RunOf(
      "Real a(start = 0, fixed = true), b(start = 0, fixed = true);"
      "Real x(start = 0.25, fixed = true);"
      "equation der(a) = cos(time); der(b) = 1;"
      "der(x) = sign(a - b) + abs(b - 0.5);",
      options);
  ASSERT_EQ(run.summary.message, "");
  EXPECT_NEAR(LastOf(run, "x"), -0.5, 1e-4);
  EXPECT_LT(run.summary.steps, 200);
}

// A machine whose voltage follows from a nonlinear loop, and a regulator with
// limits. `when` may ask for that voltage.
std::string Regulator(const std::string& limiter, const std::string& when) {
  return "parameter Real T = 0.02, K = 20, hi = 1, lo = -1, X = 0.3;"
         "Real Ef(start = 1.2, fixed = true), x(start = 0.9, fixed = true);"
         "Real y, d(start = 0, fixed = true), V, u;"
         "Real vr(start = 1), vi(start = 0), ir(start = 0.8), ii(start = -0.3);"
         "equation vr = Ef*cos(d) + X*ii; vi = Ef*sin(d) - X*ir;"
         "0.8 = vr*ir + vi*ii; 0.3 = vi*ir - vr*ii; V = sqrt(vr^2 + vi^2);"
         "u = 1.05 - V; y = " +
         limiter +
         "; T*der(x) = K*u - x; 0.05*der(Ef) = 1.2 + y - Ef;"
         "der(d) = -d + 0.1;" +
         when;
}

class KinksBesideALoopTest : public testing::TestWithParam<const char*> {};

TEST_P(KinksBesideALoopTest, AreFoundAsWithoutAConditionThatTheLoopDecides) {
  const SimulationOptions options{.stop = 1, .method = Method::kRosenbrock};
  const RunResult without = RunOf(Regulator(GetParam(), ""), options);
  const RunResult with = RunOf(
      Regulator(GetParam(),
                "when x > hi and K*u - x < 0 then reinit(x, hi); end when;"),
      options);
  EXPECT_EQ(with.summary.message, "");
  EXPECT_LE(with.summary.rejected_steps, without.summary.rejected_steps + 5);
  EXPECT_LE(with.summary.steps, without.summary.steps + 5);
  EXPECT_NEAR(LastOf(with, "V"), LastOf(without, "V"), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Limiters,
                         KinksBesideALoopTest,
                         testing::Values("max(min(x, hi), lo)",
                                         "min(max(lo, x), hi)",
                                         "max(x, lo) - max(x - hi, 0)",
                                         "noEvent(max(min(x, hi), lo))"),
                         [](const auto& limiter) {
                           return "Number" + std::to_string(limiter.index);
                         });

}  // namespace
}  // namespace orrery
