#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/count_allocations.h"
#include "orrery/sim/operating_point.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::HasSubstr;

RunResult RunOf(const std::string& body, const SimulationOptions& options) {
  RunResult run = Simulate(CompileBody(body), options);
  EXPECT_TRUE(run.summary.completed()) << run.summary.message;
  return run;
}

std::span<const double> TimesOf(const RunResult& run) {
  return run.trajectory.time();
}

// The values of `name` in all rows at `t`, to the bit.
std::vector<double> ValuesAt(const RunResult& run,
                             const std::string& name,
                             double t) {
  std::vector<double> values;
  const std::span<const double> times = TimesOf(run);
  for (std::size_t row = 0; row < times.size(); ++row) {
    if (times[row] == t) {
      values.push_back(run[name][row]);
    }
  }
  return values;
}

double Bisect(double a, double b, const std::function<double(double)>& f) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (a + b) / 2;
    (f(middle) > 0 ? b : a) = middle;
  }
  return a;
}

constexpr const char* kDelayedDecay =
    "  Real x(start = 1, fixed = true);\n"
    "equation\n"
    "  der(x) = -delay(x, 1);\n";

// x' = -x(t - 1), x = 1 before 0, by the method of steps:
// sum_k (-1)^k (t - k + 1)^k / k! over k <= floor(t) + 1.
double Decay(double t) {
  double x = 1;
  double factorial = 1;
  for (int k = 1; k <= static_cast<int>(std::floor(t)) + 1; ++k) {
    factorial *= k;
    x += (k % 2 == 0 ? 1 : -1) * std::pow(t - k + 1, k) / factorial;
  }
  return x;
}

// Fixed steps -----------------------------------------------------------------

class DelayMethodTest : public testing::TestWithParam<Method> {};

TEST_P(DelayMethodTest, FollowsTheMethodOfStepsWithinTheTolerance) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    SimulationOptions options{.stop = 6,
                              .tolerance = tolerance,
                              .absolute_tolerance = tolerance,
                              .method = GetParam(),
                              .interval = 0.25};
    if (GetParam() == Method::kRungeKutta4) {
      options.step = std::pow(tolerance, 0.25);
    }
    const RunResult run = RunOf(kDelayedDecay, options);
    for (std::size_t row = 0; row < TimesOf(run).size(); ++row) {
      const double t = TimesOf(run)[row];
      EXPECT_NEAR(run["x"][row], Decay(t), 10 * tolerance)
          << "t = " << t << ", tolerance " << tolerance;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         DelayMethodTest,
                         testing::Values(Method::kAuto,
                                         Method::kDormandPrince5,
                                         Method::kDormandPrince8,
                                         Method::kRosenbrock,
                                         Method::kCvodeBdf,
                                         Method::kCvodeAdams,
                                         Method::kIda,
                                         Method::kRungeKutta4));

TEST(DelayTest, AStepMayBeLongerThanTheDelay) {
  // s = -exp(-s T) has the real root s = -1.0001000150026674 for T = 1e-4.
  const RunResult run = RunOf(
      "  Real x(start = 1, fixed = true);\n"
      "equation\n"
      "  der(x) = -delay(x, 1e-4);\n",
      {.stop = 2, .tolerance = 1e-9, .absolute_tolerance = 1e-12});
  EXPECT_LT(run.summary.steps, 300);
  // The history x = 1 has a small part in other, fast modes: x(t) is within
  // T^2/2 of the slow one's (1 - T^2/2) exp(s t).
  EXPECT_NEAR(run["x"].final(), std::exp(-1.0001000150026674 * 2), 1e-8);
}

// From an integration by a cubic Hermite history and 200,000 steps of RK4, the
// same to all digits with 20,000.
TEST(DelayTest, ADelayMayVaryAndVanish) {
  for (const Method method :
       {Method::kAuto, Method::kRosenbrock, Method::kCvodeBdf, Method::kIda}) {
    const SimulationOptions options{.stop = 10,
                                    .tolerance = 1e-9,
                                    .absolute_tolerance = 1e-11,
                                    .method = method,
                                    .interval = 2};
    const RunResult run = RunOf(
        "  Real x(start = 1, fixed = true);\n"
        "equation\n"
        "  der(x) = -delay(x, (1 + sin(time))/2, 1);\n",
        options);
    EXPECT_NEAR(run["x"][1], -0.474209961131, 1e-8);
    EXPECT_NEAR(run["x"].final(), -0.000017422865, 1e-8);
  }
}

// Time goes on where a step is refused for a delay that is shorter at its end
// than at its begin.
TEST(DelayTest, AStepIsTakenAgainWhereADelayNearlyVanishes) {
  for (const Method method : {Method::kDormandPrince5,
                              Method::kDormandPrince8,
                              Method::kRosenbrock}) {
    const RunResult run = RunOf(
        "  Real x(start = 1, fixed = true), y, z;\n"
        "equation\n"
        "  der(x) = -x;\n"
        "  y = delay(x, 0.5 + 0.49*sin(time), 1);\n"
        "  z = delay(x, 1);\n",
        {.stop = 5, .method = method});
    EXPECT_LT(run.summary.steps, 500);
    EXPECT_NEAR(run["y"].final(), std::exp(-4.5 + 0.49 * std::sin(5)), 1e-7);
    EXPECT_NEAR(run["z"].final(), std::exp(-4.0), 1e-7);
  }
}

TEST(DelayTest, ADelayMayDependOnTheState) {
  for (const Method method :
       {Method::kDormandPrince5, Method::kRosenbrock, Method::kCvodeBdf}) {
    const RunResult run = RunOf(
        "  Real x(start = 1, fixed = true);\n"
        "equation\n"
        "  der(x) = -delay(x, 0.5 + 0.2*x^2, 3);\n",
        {.stop = 2,
         .tolerance = 1e-9,
         .absolute_tolerance = 1e-11,
         .method = method});
    EXPECT_NEAR(run["x"].final(), -0.041160879581, 1e-8);
  }
}

// The Jacobian and the derivative by time include delayed values: otherwise a
// Rosenbrock method would lose its order, and its steps.
TEST(DelayTest, ARosenbrockMethodKeepsItsOrder) {
  const auto error = [](double tolerance) {
    const RunResult run = RunOf(
        "  Real x(start = 1, fixed = true);\n"
        "equation\n"
        "  der(x) = -delay(x, 0.5 + 0.2*x^2, 3);\n",
        {.stop = 2,
         .tolerance = tolerance,
         .absolute_tolerance = tolerance,
         .method = Method::kRosenbrock});
    return static_cast<double>(run.summary.steps);
  };
  // Order 4: 10^(4/4) times the steps for 10^-4 of the tolerance.
  EXPECT_LT(error(1e-9), 10 * error(1e-5));
}

TEST(DelayTest, MackeyAndGlassOscillate) {
  const RunResult run = RunOf(
      "  Real x(start = 0.5, fixed = true);\n"
      "  Real d = delay(x, 17);\n"
      "equation\n"
      "  der(x) = 0.2*d/(1 + d^10) - 0.1*x;\n",
      {.stop = 100, .tolerance = 1e-10, .absolute_tolerance = 1e-12});
  EXPECT_NEAR(run["x"].final(), 1.050020507053, 1e-9);
}

// The error does not depend on the operand, nor on the distance of rows: the
// record is as fine as the tolerance asks for.
RC_GTEST_PROP(DelayTest, ADelayedWaveIsTheWaveLater, ()) {
  const double frequency = *rc::gen::inRange(1, 300);
  const double delay = *rc::gen::inRange(1, 1000) * 1e-3;
  const double tolerance = std::pow(10, -*rc::gen::inRange(4, 11));
  const auto program = CompileBody(
      "  parameter Real w = 1;\n"
      "  parameter Real T = 1;\n"
      "  Real y = delay(sin(w*time), T);\n");
  const RunResult run =
      Simulate(program,
               {.stop = 1.5,
                .tolerance = tolerance,
                .absolute_tolerance = tolerance,
                .interval = 0.03,
                .settings = {{"w", frequency}, {"T", delay}}});
  for (std::size_t row = 0; row < TimesOf(run).size(); ++row) {
    const double t = TimesOf(run)[row];
    const double wanted = t > delay ? std::sin(frequency * (t - delay)) : 0;
    RC_ASSERT(std::abs(run["y"][row] - wanted) <=
              tolerance + 1e-15 * frequency);
  }
}

TEST(DelayTest, ARunThatStopsOnTheWayGoesOnWithItsPast) {
  Simulator simulator(
      CompileBody(kDelayedDecay),
      {.stop = 6, .tolerance = 1e-9, .absolute_tolerance = 1e-9});
  for (const double t : {0.3, 1.0, 1.7, 2.5, 6.0}) {
    ASSERT_TRUE(simulator.RunUntil(t));
    EXPECT_NEAR(simulator["x"], Decay(t), 1e-8) << "t = " << t;
  }
}

// Jumps -----------------------------------------------------------------------

// y is the delayed u, and i its integral.
RunResult Delayed(const std::string& u,
                  const std::string& delay,
                  const SimulationOptions& options) {
  return RunOf("  Real u = " + u + ";\n  Real y = delay(u, " + delay +
                   ");\n"
                   "  Real i(start = 0, fixed = true);\n"
                   "equation\n"
                   "  der(i) = y;\n",
               options);
}

TEST(DelayTest, BothEdgesOfAPulseArriveExactly) {
  const RunResult run = Delayed(
      "if time >= 0.3 and time < 0.7 then 1 else 0", "1.1", {.stop = 2});
  EXPECT_EQ(ValuesAt(run, "y", 0.3 + 1.1), (std::vector<double>{0, 1}));
  EXPECT_EQ(ValuesAt(run, "y", 0.7 + 1.1), (std::vector<double>{1, 0}));
  EXPECT_NEAR(run["i"].final(), 0.4, 1e-15);
}

TEST(DelayTest, AShortPulseIsNotMissed) {
  const RunResult run =
      Delayed("if time >= 1 and time < 1.000001 then 1e6 else 0",
              "5",
              {.stop = 100, .interval = 50});
  EXPECT_NEAR(run["i"].final(), 1, 1e-8);
}

TEST(DelayTest, AVaryingDelayPassesAJumpWhenItsInstantDoes) {
  const RunResult run = Delayed(
      "if time >= 0.3 then 2 else 1", "0.5 + 0.25*sin(time), 1", {.stop = 2});
  const double jump =
      Bisect(0, 2, [](double t) { return t - 0.5 - 0.25 * std::sin(t) - 0.3; });
  EXPECT_NEAR(run["i"].final(), 2 + (2 - jump), 1e-13);
}

// t - d(t) rises beyond 0.3, falls below it, and rises again.
TEST(DelayTest, AnInstantThatGoesBackPassesAJumpThrice) {
  const RunResult run = RunOf(
      "  Real d = 1.5 - 1.2*sin(2*time)^2;\n"
      "  Real u = if time >= 0.3 then 1 else 0;\n"
      "  Real i(start = 0, fixed = true);\n"
      "  Integer changes(start = 0, fixed = true);\n"
      "  Boolean is = delay(u, d, 2) > 0.5;\n"
      "equation\n"
      "  der(i) = delay(u, d, 2);\n"
      "  when change(is) then\n"
      "    changes = pre(changes) + 1;\n"
      "  end when;\n",
      {.stop = 4});
  const auto excess = [](double t) {
    return t - 1.5 + 1.2 * std::pow(std::sin(2 * t), 2) - 0.3;
  };
  double length = 0;
  int changes = 0;
  constexpr int kSamples = 4000;
  double rise = 0;
  for (int k = 0; k < kSamples; ++k) {
    const double a = 4.0 * k / kSamples;
    const double b = 4.0 * (k + 1) / kSamples;
    if (excess(a) <= 0 && excess(b) > 0) {
      rise = Bisect(a, b, excess);
      ++changes;
    } else if (excess(a) > 0 && excess(b) <= 0) {
      length += Bisect(a, b, [&](double t) { return -excess(t); }) - rise;
      ++changes;
    }
  }
  length += 4 - rise;
  EXPECT_EQ(changes, 3);
  EXPECT_EQ(run["changes"].final(), 3);
  EXPECT_NEAR(run["i"].final(), length, 1e-12);
}

TEST(DelayTest, EchoesOfAJumpComeBackForEver) {
  const RunResult run = RunOf(
      "  Real u = if time < 0.1 then 0 else sin(3*time);\n"
      "  Real y = u + 0.5*delay(y, 0.4);\n",
      {.stop = 10, .tolerance = 1e-10, .absolute_tolerance = 1e-12});
  double y = 0;
  for (int k = 0; 10 - 0.4 * k >= 0.1; ++k) {
    y += std::pow(0.5, k) * std::sin(3 * (10 - 0.4 * k));
  }
  EXPECT_NEAR(run["y"].final(), y, 1e-10);
}

// Each link is late by 1/128 and was 0 before the start.
TEST(DelayTest, AKinkGoesThroughAChainOfDelays) {
  constexpr int kLinks = 200;
  std::string body = "  Real x0 = time;\n";
  for (int i = 1; i <= kLinks; ++i) {
    const std::string link = std::to_string(i);
    body += "  Real x" + link + " = delay(x" + std::to_string(i - 1) +
            ", 1/128);\n";
  }
  const RunResult run = RunOf(body, {.stop = 1});
  for (const int i : {1, 100, 127, 128, 129, 200}) {
    EXPECT_NEAR(run["x" + std::to_string(i)].final(),
                std::max(0.0, 1 - i / 128.0),
                1e-12)
        << i;
  }
}

// x moves with slope -1 or 1 and turns 0.3 after it passes 0: a triangle wave
// of amplitude 0.3.
TEST(DelayTest, ARelayBehindADelayOscillates) {
  const RunResult run = RunOf(
      "  Real x(start = 0.5, fixed = true);\n"
      "  Boolean on = delay(x, 0.3) < 0;\n"
      "equation\n"
      "  der(x) = if on then 1 else -1;\n",
      {.stop = 10.05, .interval = 0});
  double lowest = 0;
  for (const double x : run["x"].values()) {
    lowest = std::min(lowest, x);
  }
  EXPECT_NEAR(lowest, -0.3, 1e-13);
  // It falls through 0 at 0.5 + 1.2 k, so at 10.1.
  EXPECT_NEAR(run["x"].final(), 0.05, 1e-12);
}

TEST(DelayTest, AResetArrives) {
  const RunResult run = RunOf(
      "  Real x(start = 0, fixed = true);\n"
      "  Real y = delay(x, 0.25);\n"
      "equation\n"
      "  der(x) = 1;\n"
      "  when x >= 1 then\n"
      "    reinit(x, 0);\n"
      "  end when;\n",
      {.stop = 1.5});
  EXPECT_NEAR(run["y"].final(), 0.25, 1e-14);
  int jumps = 0;
  const auto y = run["y"];
  for (std::size_t row = 1; row < y.size(); ++row) {
    if (y[row] < y[row - 1] - 0.5) {
      ++jumps;
      EXPECT_NEAR(TimesOf(run)[row], 1.25, 1e-14);
      EXPECT_NEAR(y[row - 1], 1, 1e-14);
      EXPECT_NEAR(y[row], 0, 1e-14);
    }
  }
  EXPECT_EQ(jumps, 1);
}

// Discrete operands --------------------------------------------------------

TEST(DelayTest, DelaysSampledIntegerAndBooleanQuantities) {
  const RunResult run = RunOf(
      "  discrete Real s(start = 0, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\n"
      "  Boolean odd(start = false, fixed = true);\n"
      "  Real late = delay(s, 0.25);\n"
      "  Integer m = delay(n, 0.05);\n"
      "  Boolean was_odd = delay(odd, 0.05);\n"
      "  Integer flips(start = 0, fixed = true);\n"
      "equation\n"
      "  when sample(0.1, 0.1) then\n"
      "    s = sin(time);\n"
      "    n = pre(n) + 1;\n"
      "    odd = not pre(odd);\n"
      "  end when;\n"
      "  when change(was_odd) then\n"
      "    flips = pre(flips) + 1;\n"
      "  end when;\n",
      {.stop = 1, .interval = 0.01});
  EXPECT_EQ(run["late"].final(), std::sin(0.7));
  EXPECT_EQ(run["m"].final(), 9);
  EXPECT_EQ(run["was_odd"].final(), 1);
  EXPECT_EQ(run["flips"].final(), 9);
  EXPECT_EQ(ValuesAt(run, "late", 0.2 + 0.25),
            (std::vector<double>{std::sin(0.1), std::sin(0.2)}));
}

TEST(DelayTest, AnEventMaySetTheDelay) {
  const RunResult run = RunOf(
      "  discrete Real d(start = 0.2, fixed = true);\n"
      "  Real y = delay(time, d, 1);\n"
      "  Boolean late = delay(time, d, 1) > 0.55;\n"
      "equation\n"
      "  when time > 0.5 then\n"
      "    d = 0.4;\n"
      "  end when;\n",
      {.stop = 2, .interval = 0.25});
  const auto at_jump = ValuesAt(run, "y", 0.5);
  ASSERT_EQ(at_jump.size(), 2U);
  EXPECT_NEAR(at_jump[0], 0.3, 1e-15);
  EXPECT_NEAR(at_jump[1], 0.1, 1e-15);
  EXPECT_NEAR(run["y"].final(), 1.6, 1e-15);
  double change = 0;
  for (std::size_t row = 1; row < run["late"].size(); ++row) {
    if (run["late"][row] != run["late"][row - 1]) {
      change = TimesOf(run)[row];
    }
  }
  EXPECT_NEAR(change, 0.95, 1e-14);
}

// Start and end of the range --------------------------------------------------

TEST(DelayTest, BeforeTheStartItWasWhatItIsThere) {
  const RunResult run = RunOf(
      "  Real u = 3 + time;\n"
      "  Real y = u - 0.5*delay(y, 1);\n"
      "  Real z = delay(delay(u, 0.5), 0.25);\n",
      {.stop = 1.5, .interval = 0.5});
  EXPECT_DOUBLE_EQ(run["y"].front(), 2);
  EXPECT_EQ(run["z"].front(), 3);
  EXPECT_EQ(ValuesAt(run, "z", 0.5).front(), 3);
  EXPECT_NEAR(run["y"].final(), 4.5 - 0.5 * (3.5 - 0.5 * 2), 1e-14);
  EXPECT_NEAR(run["z"].final(), 3.75, 1e-14);
}

TEST(DelayTest, NoDelayIsTheQuantityItself) {
  const auto program = CompileBody(
      "  parameter Real T = 1;\n"
      "  Real x(start = 1, fixed = true);\n"
      "  Real same = delay(sin(x), 0);\n"
      "  Real z(start = 1, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\n"
      "  Integer m = delay(n, T);\n"
      "equation\n"
      "  der(x) = -x;\n"
      "  der(z) = -delay(z, T);\n"
      "  when sample(0.25, 0.5) then\n"
      "    n = pre(n) + 1;\n"
      "  end when;\n");
  const RunResult run = Simulate(program,
                                 {.stop = 2,
                                  .tolerance = 1e-9,
                                  .absolute_tolerance = 1e-12,
                                  .settings = {{"T", 0}}});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run["same"].final(), std::sin(run["x"].final()));
  EXPECT_NEAR(run["z"].final(), std::exp(-2.0), 1e-8);
  EXPECT_LT(run.summary.steps, 400);
  for (std::size_t row = 0; row < run["m"].size(); ++row) {
    EXPECT_EQ(run["m"][row], run["n"][row]) << "t = " << TimesOf(run)[row];
  }
}

TEST(DelayTest, ANegativeDelayEndsTheRunAndIsNamed) {
  const RunResult run = Simulate(
      CompileBody("  Real y = delay(time, 1 - time, 2);\n"), {.stop = 2});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kAssertion);
  EXPECT_THAT(run.summary.message, HasSubstr("cannot delay by -"));
  EXPECT_THAT(run.summary.message,
              HasSubstr("in 'delay(time, 1 - time, 2)': what comes is not "
                        "known yet"));
  ASSERT_EQ(run.summary.diagnostics.size(), 1U);
  EXPECT_EQ(run.summary.diagnostics[0].hint, "a delay must not be negative");
  EXPECT_GE(run.summary.end_time, 0.9);
  EXPECT_LE(run.summary.end_time, 1);
}

TEST(DelayTest, ADelayLongerThanItMayBeEndsTheRun) {
  const RunResult run =
      Simulate(CompileBody("  parameter Real T = 0.5;\n"
                           "  Real y = delay(time, time, T);\n"),
               {.stop = 2});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kAssertion);
  EXPECT_THAT(run.summary.message, HasSubstr("the longest delay is 0.5 s"));
}

TEST(DelayTest, ANegativeParameterIsToldAtTheStart) {
  const RunResult run = Simulate(CompileBody("  parameter Real T = 1;\n"
                                             "  Real y = delay(time, T);\n"),
                                 {.stop = 2, .settings = {{"T", -1}}});
  EXPECT_EQ(run.summary.message,
            "cannot delay by -1 s at t = 0 s in 'delay(time, T, T)': what "
            "comes is not known yet");
}

TEST(DelayTest, ADelayThatDependsOnWhatItDelaysIsRefused) {
  EXPECT_THAT(
      MessageOf(
          [] { return CompileBody("  Real y = delay(time, y, 0.5);\n"); }),
      HasSubstr("error: the delay time of 'delay(time, y, 0.5)' depends on the "
                "delayed value\n"));
}

TEST(DelayTest, AModelWithAPastIsNotLookedAtAtOneTime) {
  try {
    const OperatingPoint point(CompileBody(kDelayedDecay), 0, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_THAT(error.what(),
                HasSubstr("cannot look at A at one time: it depends on its "
                          "past by 'delay(x, 1, 1)'"));
  }
}

// Cost ------------------------------------------------------------------------

// The step after the rows reads less far back than they do.
TEST(DelayTest, RowsWithinAStepReadThePastThatTheyAreOf) {
  const auto program = CompileBody(
      "  Real x(start = 0, fixed = true), v(start = 1, fixed = true);\n"
      "  Real kinked = abs(x), late = delay(x, 0.1);\n"
      "equation\n"
      "  der(x) = 50*v;\n"
      "  der(v) = -50*x;\n");
  const RunResult run = Simulate(program,
                                 {.stop = 1,
                                  .tolerance = 1e-9,
                                  .method = Method::kDormandPrince8,
                                  .interval = 0.001});
  for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
    const double past = run.trajectory.time()[row] - 0.1;
    EXPECT_NEAR(run["late"][row], past < 0 ? 0 : std::sin(50 * past), 1e-7);
  }
}

TEST(DelayTest, KeepsNoMoreOfThePastThanItNeeds) {
  const auto program = CompileBody(kDelayedDecay);
  const auto allocations = [&](double stop) {
    const int before = CountAllocations();
    const RunResult run = Simulate(program,
                                   {.stop = stop,
                                    .method = Method::kDormandPrince5,
                                    .interval = stop / 2,
                                    .max_step = 0.01});
    EXPECT_TRUE(run.summary.completed());
    return CountAllocations() - before;
  };
  allocations(20);  // Allocations of the first use.
  EXPECT_EQ(allocations(200), allocations(20));
}

}  // namespace
}  // namespace orrery
