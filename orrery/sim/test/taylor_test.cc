// Runs by Taylor series.

#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "orrery/results/csv.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

RunResult RunTaylor(const std::string& body, SimulationOptions options) {
  options.method = Method::kTaylor;
  options.absolute_tolerance = options.tolerance;
  return Simulate(CompileBody(body), options);
}

double Last(const RunResult& run, const std::string& name) {
  const Signal signal = run.trajectory[name];
  return signal[signal.size() - 1];
}

TEST(TaylorTest, AnOscillatorIsExactForAHundredPeriods) {
  const RunResult run =
      RunTaylor("Real x(start = 1), v; equation der(x) = v; der(v) = -x;",
                {.stop = 200 * std::numbers::pi, .tolerance = 1e-15});
  ASSERT_TRUE(run.summary.completed());
  EXPECT_NEAR(Last(run, "x"), 1, 1e-13);
  EXPECT_NEAR(Last(run, "v"), 0, 2e-13);
}

// Ten revolutions of an orbit of eccentricity 0.5: the energy is kept, and the
// planet is where it began.
TEST(TaylorTest, APlanetReturnsToWhereItWas) {
  const RunResult run = RunTaylor(
      "Real x(start = 0.5), y, u, v(start = sqrt(3)); "
      "Real r = sqrt(x^2 + y^2); "
      "equation der(x) = u; der(y) = v; "
      "der(u) = -x/r^3; der(v) = -y/r^3;",
      {.stop = 20 * std::numbers::pi, .tolerance = 1e-14});
  ASSERT_TRUE(run.summary.completed());
  const double x = Last(run, "x");
  const double y = Last(run, "y");
  const double u = Last(run, "u");
  const double v = Last(run, "v");
  EXPECT_NEAR((u * u + v * v) / 2 - 1 / std::hypot(x, y), -0.5, 1e-14);
  EXPECT_NEAR(x, 0.5, 1e-12);
  EXPECT_NEAR(y, 0, 2e-12);
}

// At output points too: the series is the dense output.
TEST(TaylorTest, OutputPointsAreOnTheSeries) {
  const RunResult run =
      RunTaylor("Real x(start = 1); equation der(x) = -2*time*x;",
                {.stop = 3, .tolerance = 1e-12, .interval = 0.01});
  const Signal x = run.trajectory["x"];
  const Signal slope = run.trajectory["der(x)"];
  for (std::size_t row = 0; row < x.size(); ++row) {
    const double t = 0.01 * static_cast<double>(row);
    EXPECT_NEAR(x[row], std::exp(-t * t), 1e-12);
    EXPECT_NEAR(slope[row], -2 * t * std::exp(-t * t), 5e-12);
  }
}

// Heights between impacts are polynomials of degree 2, so impacts are found to
// rounding.
TEST(TaylorTest, ABallsImpactsAreFoundToRounding) {
  const RunResult run = RunTaylor(
      "Real h(start = 1), v; Integer n(start = 0); "
      "discrete Real last(start = 0); "
      "equation der(h) = v; der(v) = -2; "
      "when h < 0 then reinit(v, -0.5*pre(v)); n = pre(n) + 1; "
      "last = time; end when;",
      {.stop = 2.9, .tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  // Impacts are at 1, 2, 2.5, 2.75, 2.875.
  EXPECT_EQ(Last(run, "n"), 5);
  EXPECT_NEAR(Last(run, "last"), 2.875, 1e-14);
}

TEST(TaylorTest, ADipBetweenTheEndsOfAStepIsAnEvent) {
  // x touches -1e-6 at t = 1, in the middle of a long step.
  const RunResult run = RunTaylor(
      "Real x(start = 1 - 1e-6); Integer n(start = 0); "
      "equation der(x) = 2*(time - 1); "
      "when x < 0 then n = pre(n) + 1; end when;",
      {.stop = 3, .tolerance = 1e-9});
  EXPECT_EQ(Last(run, "n"), 1);
}

// A kink that is no event: the step ends near it.
TEST(TaylorTest, AKinkThatNobodyWatchesIsSeen) {
  const RunResult run = RunTaylor(
      "Real x(start = -0.987); Real y; "
      "equation der(x) = 1; der(y) = noEvent(abs(x));",
      {.stop = 2, .tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed());
  EXPECT_NEAR(Last(run, "y"), (0.987 * 0.987 + 1.013 * 1.013) / 2, 1e-8);
  EXPECT_GT(run.summary.rejected_steps, 0);
}

// The series of sqrt(x^2) continues as x after x has changed its sign.
TEST(TaylorTest, TheOtherBranchOfARootIsNotTaken) {
  const RunResult run = RunTaylor(
      "Real x(start = -0.987); Real y; "
      "equation der(x) = 1; der(y) = sqrt(x^2) + (x^2)^1.5;",
      {.stop = 2, .tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed());
  EXPECT_NEAR(Last(run, "y"),
              (0.987 * 0.987 + 1.013 * 1.013) / 2 +
                  (std::pow(0.987, 4) + std::pow(1.013, 4)) / 4,
              1e-8);
  EXPECT_GT(run.summary.rejected_steps, 0);
}

// h = (1 - t/2)^2 until 2 s: a polynomial, which would go on.
TEST(TaylorTest, ATankDoesNotFillAgainWhenItIsEmpty) {
  const RunResult run =
      RunTaylor("Real h(start = 1); equation der(h) = -sqrt(h);",
                {.stop = 3, .tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed());
  EXPECT_NEAR(Last(run, "h"), 0, 5e-9);
}

// Far from x = 0 all terms but the first are below any tolerance.
TEST(TaylorTest, ASteepSlopeIsNotSteppedOver) {
  const RunResult run = RunTaylor(
      "Real x(start = -0.987); Real y; "
      "equation der(x) = 1; der(y) = tanh(1000*x);",
      {.stop = 2, .tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed());
  EXPECT_NEAR(Last(run, "y"), 1.013 - 0.987, 1e-8);
}

TEST(TaylorTest, NoStepIsTriedInVainNearAStar) {
  for (const double tolerance : {1e-6, 1e-9, 1e-12, 1e-15}) {
    const RunResult run = RunTaylor(
        "Real x(start = 0.1), y, u, v(start = sqrt(19)); "
        "Real r = sqrt(x^2 + y^2); "
        "equation der(x) = u; der(y) = v; "
        "der(u) = -x/r^3; der(v) = -y/r^3;",
        {.stop = 20 * std::numbers::pi, .tolerance = tolerance});
    ASSERT_TRUE(run.summary.completed());
    EXPECT_EQ(run.summary.rejected_steps, 0) << tolerance;
  }
}

TEST(TaylorTest, APulseWithinAStepIsSeen) {
  const RunResult run = RunTaylor(
      "Real y; equation "
      "der(y) = noEvent(if time > 1 and time < 1.5 then 2 else 0);",
      {.stop = 2, .tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed());
  EXPECT_NEAR(Last(run, "y"), 1, 1e-7);
}

TEST(TaylorTest, InputsAreLinearBetweenTheRowsOfTheirTable) {
  auto table = std::make_shared<Table>(ParseTable(
      std::make_shared<SourceFile>("u.csv", "time,u\n0,0\n1,2\n3,0\n")));
  const RunResult run =
      RunTaylor("input Real u; Real x; equation der(x) = u*u;",
                {.stop = 3, .tolerance = 1e-12, .inputs = std::move(table)});
  ASSERT_TRUE(run.summary.completed());
  EXPECT_NEAR(Last(run, "x"), 4.0 / 3 + 8.0 / 3, 1e-13);
}

TEST(TaylorTest, LoopsOfAModelHaveSeries) {
  const RunResult run = RunTaylor(
      "parameter Integer n = 50; "
      "Real x[n](start = {sin(i) for i in 1:n}), v[n]; "
      "equation der(x) = v; der(v[1]) = x[2] - 2*x[1]; "
      "for i in 2:n - 1 loop "
      "  der(v[i]) = x[i + 1] - 2*x[i] + x[i - 1]; end for; "
      "der(v[n]) = x[n - 1] - 2*x[n];",
      {.stop = 10, .tolerance = 1e-12});
  ASSERT_TRUE(run.summary.completed());
  // x is a sum of modes sin(i k pi/51) cos(w_k t), w_k = 2 sin(k pi/102).
  double x25 = 0;
  for (int k = 1; k <= 50; ++k) {
    double weight = 0;
    for (int i = 1; i <= 50; ++i) {
      weight += std::sin(i) * std::sin(i * k * std::numbers::pi / 51);
    }
    x25 += 2.0 / 51 * weight * std::sin(25 * k * std::numbers::pi / 51) *
           std::cos(20 * std::sin(k * std::numbers::pi / 102));
  }
  EXPECT_NEAR(Last(run, "x[25]"), x25, 1e-11);
}

TEST(TaylorTest, FunctionsOfAModelHaveSeries) {
  const RunResult run = Simulate(
      CompileText("package P function f input Real u; output Real y; "
                  "algorithm y := u; for i in 1:2 loop y := y*u; end for; "
                  "end f; "
                  "model A Real x(start = 1); equation der(x) = -f(x); end A; "
                  "end P;"),
      {.stop = 1,
       .tolerance = 1e-12,
       .absolute_tolerance = 1e-12,
       .method = Method::kTaylor});
  EXPECT_NEAR(Last(run, "x"), 1 / std::sqrt(3.0), 1e-12);
}

TEST(TaylorTest, TheAutomaticChoiceLeavesItWhereItIsStiff) {
  const RunResult run = Simulate(
      CompileBody("Real x(start = 1); "
                  "equation der(x) = -1e5*(x - cos(time)) - sin(time);"),
      {.stop = 10, .tolerance = 1e-9, .absolute_tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed());
  ASSERT_EQ(run.summary.switches.size(), 1U);
  EXPECT_EQ(run.summary.switches[0].from, "taylor");
  EXPECT_EQ(run.summary.switches[0].to, "rodas");
  EXPECT_NEAR(Last(run, "x"), std::cos(10.0), 1e-8);
}

TEST(TaylorTest, TheAutomaticChoiceStaysWithItWherePolesLimitSteps) {
  const RunResult run = Simulate(
      CompileBody("Real x(start = 1), y(start = 1), z(start = 1); "
                  "equation der(x) = 10*(y - x); der(y) = x*(28 - z) - y; "
                  "der(z) = x*y - 8/3*z;"),
      {.stop = 20, .tolerance = 1e-10, .absolute_tolerance = 1e-10});
  EXPECT_EQ(run.summary.solver, "taylor");
  EXPECT_TRUE(run.summary.switches.empty());
}

// x' = 1 + sqrt(x): the second derivative is infinite at the start.
TEST(TaylorTest, TheAutomaticChoiceLeavesItWhereThereIsNoSeries) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 0); equation der(x) = 1 + sqrt(x);"),
               {.stop = 1, .tolerance = 1e-9, .absolute_tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  ASSERT_EQ(run.summary.switches.size(), 1U);
  EXPECT_EQ(run.summary.switches[0].to, "dop853");
  EXPECT_EQ(run.summary.switches[0].reason, "its series is not finite");
  // t = 2 (s - log(1 + s)), s = sqrt(x)
  const double s = std::sqrt(Last(run, "x"));
  EXPECT_NEAR(2 * (s - std::log1p(s)), 1, 1e-8);
}

TEST(TaylorTest, TheAutomaticChoiceLeavesKinksToOtherMethods) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 1); equation der(x) = -abs(x);"),
               {.stop = 1, .tolerance = 1e-9});
  EXPECT_EQ(run.summary.solver, "dop853");
}

TEST(TaylorTest, ALoopOfEquationsIsRefusedByName) {
  EXPECT_EQ(
      MessageOf([] {
        return RunTaylor(
            "Real x(start = 1), y(start = 1); "
            "equation der(x) = -y; y^3 + y = x;",
            {.stop = 1});
      }),
      "cannot integrate by 'taylor': the derivatives have no Taylor series "
      "(the algebraic loop of y is solved for them); choose another method, "
      "as 'dop853'");
}

TEST(TaylorTest, AComputedCourseIsRefusedWithItsEquation) {
  EXPECT_EQ(
      MessageOf([] {
        return RunTaylor(
            "Real x(start = 1); parameter Real a[3] = {1, 2, 3}; "
            "equation der(x) = a[1 + integer(mod(x, 3))];",
            {.stop = 1});
      }),
      "cannot integrate by 'taylor': the derivatives have no Taylor series "
      "(in der(x) = a[1 + integer(floor(mod(x, 3)))], a subscript is "
      "computed); choose another method, as 'dop853'");
}

}  // namespace
}  // namespace orrery
