// Events that follow each other without end: the names in the message.

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

constexpr std::array kErrorControlled = {Method::kAuto,
                                         Method::kDormandPrince5,
                                         Method::kDormandPrince8,
                                         Method::kTaylor,
                                         Method::kRosenbrock,
                                         Method::kCvodeBdf,
                                         Method::kCvodeAdams,
                                         Method::kIda};

RunResult EndlessRun(const std::string& body) {
  RunResult run = Simulate(CompileBody(body), {});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_NEAR(run.summary.end_time, 0.5, 1e-12);
  return run;
}

TEST(EndlessEventsTest, DiscreteQuantitiesThatTurnEachOtherAreNamed) {
  const RunResult run = EndlessRun(
      "  Boolean a(start = false, fixed = true);\n"
      "  Boolean b(start = false, fixed = true);\n"
      "  Boolean still = time > 0.7;\n"
      "equation\n"
      "  a = time > 0.5 and not pre(b);\n"
      "  b = pre(a);\n");
  EXPECT_EQ(run.summary.message,
            "cannot go on at t = 0.5 s: events follow each other without end; "
            "what changes is 'a', 'b'");
  EXPECT_THAT(run.summary.diagnostics,
              ElementsAre(Field(&Diagnostic::line, 0),
                          Field(&Diagnostic::line, 2),
                          Field(&Diagnostic::line, 3)));
  EXPECT_EQ(run.summary.diagnostics[1].message, "'a' is declared here");
}

TEST(EndlessEventsTest, RelationsAreNamedInPlaceOfWhatTheyTurn) {
  const RunResult run = EndlessRun(
      "  Real x(start = 0, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = 1;\n"
      "  when x >= 0.5 then\n"
      "    n = pre(n) + 1;\n"
      "    reinit(x, 0);\n"
      "  elsewhen x <= 0 then\n"
      "    n = pre(n) + 1;\n"
      "    reinit(x, 1);\n"
      "  end when;\n");
  EXPECT_EQ(run.summary.message,
            "cannot go on at t = 0.5 s: events follow each other without end; "
            "what changes is 'x >= 0.5', 'x <= 0'");
}

TEST(EndlessEventsTest, AConditionThatItsOwnClauseTakesBackIsNamed) {
  const RunResult run = EndlessRun(
      "  Real t0(start = 0, fixed = true);\n"
      "equation\n"
      "  when time - t0 >= 0.5 then\n"
      "    t0 = time;\n"
      "  end when;\n");
  EXPECT_EQ(run.summary.message,
            "cannot go on at t = 0.5 s: events follow each other without end; "
            "what changes is 't0', 'when1.condition'");
}

TEST(EndlessEventsTest, ACounterOfItselfIsNamed) {
  const RunResult run = EndlessRun(
      "  Integer n(start = 0, fixed = true);\n"
      "equation\n"
      "  n = if time > 0.5 then pre(n) + 1 else 0;\n");
  EXPECT_EQ(run.summary.message,
            "cannot go on at t = 0.5 s: events follow each other without end; "
            "what changes is 'n'");
}

// If b is true, u < 1.75; if it is false, u > 1.75.
TEST(EndlessEventsTest, ALoopWithoutASolutionNamesTheRelationInIt) {
  const RunResult run = EndlessRun(
      "  Real u;\n"
      "  Boolean b;\n"
      "equation\n"
      "  u = if b then 1 else 2;\n"
      "  b = u > 1.75 and time > 0.5;\n");
  EXPECT_EQ(run.summary.message,
            "cannot go on at t = 0.5 s: events follow each other without end; "
            "what changes is 'u > 1.75'");
}

// x = time below 0.5, time/3 above.
TEST(EndlessEventsTest, ARelationWithinALoopOfNumbersIsNamedWithItsPlace) {
  const RunResult run = EndlessRun(
      "  Real x;\n"
      "equation\n"
      "  x = time - (if x > 0.5 then 2*x else 0);\n");
  EXPECT_EQ(run.summary.message,
            "cannot go on at t = 0.5 s: events follow each other without end; "
            "what changes is 'x > 0.5'");
  EXPECT_THAT(
      run.summary.diagnostics,
      ElementsAre(Field(&Diagnostic::line, 0), Field(&Diagnostic::line, 4)));
}

TEST(EndlessEventsTest, ALoopWithoutASolutionAtTheStartIsNamed) {
  const RunResult run = Simulate(CompileBody("  Real u;\n"
                                             "  Boolean b;\n"
                                             "equation\n"
                                             "  b = u > 1.75;\n"
                                             "  u = if b then 1 else 2;\n"),
                                 {});
  EXPECT_EQ(run.summary.message,
            "cannot go on at t = 0 s: events follow each other without end; "
            "what changes is 'u > 1.75'");
}

// Two of four ideal diodes are in series: at the end of their current, rounding
// decides which of them blocks first.
TEST(EndlessEventsTest, ARectifierOfFourDiodesRunsOn) {
  const auto program = CompileBody(
      "  parameter Real Ron = 1e-5, Goff = 1e-5, Rs = 0.1, R = 100, C = 1e-3;\n"
      "  Real source = 10*sin(2*3.141592653589793*50*time);\n"
      "  Real v(start = 0, fixed = true), a, b, i;\n"
      "  Real s[4], volts[4], amps[4];\n"
      "  Boolean off[4](each start = true);\n"
      "  Real smooth(start = 0, fixed = true);\n"
      "equation\n"
      "  volts = {a - v, -a, b - v, -b};\n"  // Between a, b and v, 0.
      "  for k in 1:4 loop\n"
      "    off[k] = s[k] < 0;\n"
      "    volts[k] = s[k]*(if off[k] then 1 else Ron);\n"
      "    amps[k] = s[k]*(if off[k] then Goff else 1);\n"
      "  end for;\n"
      "  source = Rs*i + a - b;\n"
      "  i = amps[1] - amps[2];\n"
      "  -i = amps[3] - amps[4];\n"
      "  C*der(v) = amps[1] + amps[3] - v/R;\n"
      "  C*der(smooth) = noEvent(max(0, abs(source) - smooth))/(Rs + 2*Ron)\n"
      "    - smooth*(1/R + Goff);\n");
  for (const Method method : {Method::kAuto, Method::kRosenbrock}) {
    const RunResult run = Simulate(program, {.stop = 0.1, .method = method});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    EXPECT_NEAR(run["v"].final(), run["smooth"].final(), 1e-4);
    EXPECT_NEAR(run["v"].final(), 9.512, 1e-3);
  }
}

// A source without resistance holds the capacitor's voltage up to its rounding.
// The diodes block when both fall equally fast, at tan(w*t) = -w*R*C. From
// there on the load and 1e-5 S of leakage discharge the capacitor.
TEST(EndlessEventsTest, ARectifierWithoutResistanceRunsOn) {
  const auto program = CompileBody(
      "  parameter Real Ron = 1e-5, Goff = 1e-5, R = 50, C = 1e-3;\n"
      "  Real v(start = 0, fixed = true), a, b, i;\n"
      "  Real s[4], volts[4], amps[4];\n"
      "  Boolean off[4];\n"
      "equation\n"
      "  volts = {a - v, -a, b - v, -b};\n"
      "  for k in 1:4 loop\n"
      "    off[k] = s[k] < 0;\n"
      "    volts[k] = s[k]*(if off[k] then 1 else Ron);\n"
      "    amps[k] = s[k]*(if off[k] then Goff else 1);\n"
      "  end for;\n"
      "  a - b = 10*sin(2*3.141592653589793*50*time);\n"
      "  i = amps[1] - amps[2];\n"
      "  -i = amps[3] - amps[4];\n"
      "  C*der(v) = amps[1] + amps[3] - v/R;\n");
  constexpr double kW = 100 * std::numbers::pi;
  const double blocked = std::numbers::pi - std::atan(kW * 50e-3);
  const double expected =
      10 * std::sin(blocked) * std::exp((blocked / kW - 0.01) / 50e-3 * 1.0005);
  for (const Method method :
       {Method::kAuto, Method::kRosenbrock, Method::kCvodeBdf}) {
    for (const double tolerance : {1e-6, 1e-8}) {
      const RunResult run = Simulate(
          program, {.stop = 0.1, .tolerance = tolerance, .method = method});
      ASSERT_TRUE(run.summary.completed()) << run.summary.message;
      EXPECT_NEAR(run["v"].final(), expected, 1e-4);
      EXPECT_LT(run.summary.events, 500);
    }
  }
}

// One phase passes zero at the start, when the capacitor is empty: two diodes
// without current yet are in series between two of 43,000 A.
TEST(EndlessEventsTest, ARectifierOfThreePhasesStartsWhereOneIsZero) {
  const auto program = CompileBody(
      "  parameter Real Ron = 1e-3, Goff = 1e-5, R = 10, C = 1e-3;\n"
      "  Real v(start = 0, fixed = true), p[3], a, b, i;\n"
      "  Real s[6], volts[6], amps[6];\n"
      "  Boolean off[6];\n"
      "equation\n"
      "  for k in 1:3 loop\n"
      "    p[k] = 100*sin(100*3.141592653589793*time - "
      "2*3.141592653589793*(k - 1)/3);\n"
      "    volts[k] = p[k] - a;\n"
      "    volts[k + 3] = b - p[k];\n"
      "  end for;\n"
      "  for k in 1:6 loop\n"
      "    off[k] = s[k] < 0;\n"
      "    volts[k] = s[k]*(if off[k] then 1 else Ron);\n"
      "    amps[k] = s[k]*(if off[k] then Goff else 1);\n"
      "  end for;\n"
      "  amps[1] + amps[2] + amps[3] = i;\n"
      "  amps[4] + amps[5] + amps[6] = i;\n"
      "  a - b = v;\n"
      "  C*der(v) = i - v/R;\n");
  for (const Method method : {Method::kAuto, Method::kRosenbrock}) {
    const RunResult run = Simulate(program, {.stop = 0.06, .method = method});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    // At the crest of p[3] - p[2], less the voltage of two diodes.
    EXPECT_NEAR(run["v"].final(), 100 * std::sqrt(3) / (1 + 2e-3 / 10), 1e-3);
  }
}

TEST(EndlessEventsTest, WhatIsEqualButForRoundingMakesNoEvents) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 0, fixed = true);"
                           "equation der(x) = "
                           "if sin(time)^2 + cos(time)^2 > 1 then 1 else 2;"),
               {});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_LE(run.events.size(), 1);
  EXPECT_LT(run.summary.steps, 200);
}

TEST(EndlessEventsTest, AKinkBetweenDifferencesOfRoundingIsPassed) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 0, fixed = true);"
                           "equation der(x) = "
                           "max(1 - cos(time), time^2/2) + x;"),
               {.tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_LT(run.summary.steps, 200);
  EXPECT_NEAR(run["x"].final(), std::exp(1) - 2.5, 1e-8);
}

// The radius is constant but for errors of integration, which exceed rounding.
TEST(EndlessEventsTest, ARelationThatErrorsDecideDoesNotHoldTheRunUp) {
  const RunResult run = Simulate(
      CompileBody("Real x(start = 1, fixed = true), y(start = 0, fixed = true);"
                  "Real z(start = 0, fixed = true);"
                  "equation der(x) = -y; der(y) = x;"
                  "der(z) = if x^2 + y^2 > 1 then 1 else 2;"),
      {});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_LT(run.events.size(), 1000);
  EXPECT_NEAR(run["x"].final(), std::cos(1), 1e-6);
}

// The time in which the state moves by its rounding is not short beside t.
TEST(EndlessEventsTest, ChatteringOfALargeStateIsFound) {
  const auto program = CompileBody(
      "  parameter Real p = 1;\n"
      "  Real x(start = 1e6, fixed = true);\n"
      "equation\n"
      "  der(x) = p * (if x > 1000000.5 then -1 else 1);\n");
  for (const std::vector<std::string>& sensitivities :
       {std::vector<std::string>{}, {"p"}}) {
    const RunResult run = Simulate(program, {.sensitivities = sensitivities});
    EXPECT_EQ(run.summary.outcome, RunOutcome::kTooManyEvents);
    EXPECT_THAT(run.summary.message, HasSubstr("the model chatters"));
    EXPECT_NEAR(run.summary.end_time, 0.5, 1e-9);
  }
}

TEST(EndlessEventsTest, ChatteringFromTheStartOnIsFound) {
  const RunResult run = Simulate(CompileBody("  Real x(start = 0.6);\n"
                                             "equation\n"
                                             "  der(x) = if x > 0.6 then -1.86 "
                                             "else 0.14;\n"),
                                 {});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_THAT(run.summary.message, HasSubstr("the model chatters"));
}

// Its impacts end at sqrt(2 h/g) (1 + e)/(1 - e), when doubles cannot tell them
// apart any more.
TEST(EndlessEventsTest, ABallThatMayComeToRestDoes) {
  const auto program = CompileBody(
      "  parameter Real e = 0.7, g = 9.81;\n"
      "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
      "  Real v_new(start = 0, fixed = true);\n"
      "  Boolean flying(start = true, fixed = true), impact;\n"
      "equation\n"
      "  impact = h <= 0;\n"
      "  der(h) = v;\n"
      "  der(v) = if flying then -g else 0;\n"
      "  when {h <= 0 and v <= 0, impact} then\n"
      "    v_new = if edge(impact) then -e*pre(v) else 0;\n"
      "    flying = v_new > 0;\n"
      "    reinit(v, v_new);\n"
      "  end when;\n");
  for (const Method method :
       {Method::kAuto, Method::kDormandPrince8, Method::kRosenbrock}) {
    for (const double e : {0.3, 0.7, 0.9}) {
      const RunResult run = Simulate(
          program, {.stop = 20, .method = method, .settings = {{"e", e}}});
      ASSERT_TRUE(run.summary.completed()) << run.summary.message;
      EXPECT_NEAR(run.events.entries().back().t,
                  std::sqrt(2 / 9.81) * (1 + e) / (1 - e),
                  1e-11);
      EXPECT_EQ(run["flying"].final(), 0);
      EXPECT_EQ(run["v"].final(), 0);
      EXPECT_NEAR(run["h"].final(), 0, 1e-15);
    }
  }
}

// For any part of its speed that the ball keeps, with and without drag, whose
// formula has a kink at each standstill.
TEST(EndlessEventsTest, NoBallFallsThroughTheFloor) {
  const auto program = CompileBody(
      "  parameter Real e = 0.5, drag = 0;\n"
      "  Real h(start = 10, fixed = true), v(start = 0, fixed = true);\n"
      "equation\n"
      "  der(h) = v;\n"
      "  der(v) = -9.81 - drag*v*abs(v);\n"
      "  when h < 0 then\n"
      "    reinit(v, -e*pre(v));\n"
      "  end when;\n");
  for (const Method method :
       {Method::kAuto, Method::kDormandPrince8, Method::kRosenbrock}) {
    for (const double e : {0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8}) {
      for (const double drag : {0.0, 1e-3, 0.1, 1.0}) {
        const RunResult run =
            Simulate(program,
                     {.stop = 30,
                      .method = method,
                      .settings = {{"e", e}, {"drag", drag}}});
        EXPECT_EQ(run.summary.outcome, RunOutcome::kTooManyEvents)
            << e << " " << drag;
        EXPECT_THAT(run.summary.message, HasSubstr("(a Zeno point)"));
        const Signal height = run.trajectory["h"];
        EXPECT_NEAR(height[height.size() - 1], 0, 1e-9);
      }
    }
  }
}

// Height and speed of a rocket are 0 until the thrust, which grows from t = 0,
// suffices. Then they begin as (t - 4.905)^3/3 and (t - 4.905)^2.
TEST(EndlessEventsTest, ARocketLeavesItsPad) {
  const auto program = CompileBody(
      "  Real h(start = 0, fixed = true), v(start = 0, fixed = true), T;\n"
      "equation\n"
      "  T = 2*time;\n"
      "  der(h) = v;\n"
      "  der(v) = if h <= 0 and v <= 0 and T < 9.81 then 0 else T - 9.81;\n");
  for (const Method method : kErrorControlled) {
    SCOPED_TRACE(NameOf(method).name);
    const RunResult run =
        Simulate(program, {.stop = 7.905, .tolerance = 1e-7, .method = method});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    EXPECT_NEAR(run["h"].final(), 9, 2e-5);
    EXPECT_NEAR(run["v"].final(), 9, 2e-5);
    EXPECT_LE(run.events.size(), 3U);
  }
}

// A coil that saturates, from a flux and a slope of the flux of 0.
TEST(EndlessEventsTest, ASaturatingCoilStartsWithoutFlux) {
  const auto program = CompileBody(
      "  Real psi(start = 0, fixed = true), i;\n"
      "equation\n"
      "  i = if abs(psi) < 1 then psi "
      "else sign(psi)*(1 + 50*(abs(psi) - 1));\n"
      "  der(psi) = 400*sin(314.159*time) - 5*i;\n");
  // Below saturation psi' = a sin(w t) - 5 psi.
  const double w = 314.159;
  const auto flux = [w](double t) {
    return 400 / (w * w + 25) *
           (5 * std::sin(w * t) - w * std::cos(w * t) + w * std::exp(-5 * t));
  };
  for (const Method method : kErrorControlled) {
    SCOPED_TRACE(NameOf(method).name);
    const RunResult run = Simulate(
        program,
        {.stop = 0.2, .tolerance = 1e-7, .method = method, .interval = 0.002});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    EXPECT_NEAR(run["psi"].at(0.002), flux(0.002), 1e-6);
    EXPECT_NEAR(run["psi"].final(), -1.2409863, 5e-6);  // By Taylor series.
    // 39 changes of abs(psi) < 1, and 39 of the two relations of sign(psi).
    EXPECT_LT(run.events.size(), 80U);
  }
}

// The difference is rounding, which changes its sign without end. In a
// condition's operands that makes no event.
TEST(EndlessEventsTest, AConditionMayCompareWhatIsZeroButForRounding) {
  const auto program = CompileBody(
      "  Real x(start = 1, fixed = true), y;\n"
      "equation\n"
      "  der(x) = -x;\n"
      "  y = exp(log(x) / 3)^3;\n"
      "  assert(abs(x - y) < 1e-3, \"not the same\");\n");
  ASSERT_EQ(program->events.relations.size(), 1U);
  const RunResult run = Simulate(program, {.stop = 5.0});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run.events.size(), 0U);
  EXPECT_NEAR(run["y"].final(), std::exp(-5.0), 1e-6);
  EXPECT_LT(run.summary.rhs_evaluations, 400);
}

// An empty buffer begins to fill at the kink of max(). A step across the kink
// seems to leave the empty buffer too early, while it is still being emptied.
TEST(EndlessEventsTest, AnEmptyBufferBeginsToFillWhereItsFlowHasAKink) {
  const auto program = CompileBody(
      "  Real q(start = 0, fixed = true);\n"
      "equation\n"
      "  der(q) = if q <= 0 then max(0, sin(time) - 0.3) "
      "else sin(time) - 0.3;\n");
  const double begin = std::asin(0.3);
  const double second = 8 - 2 * std::numbers::pi;
  const auto level = [begin](double t) {
    return std::cos(begin) - std::cos(t) - 0.3 * (t - begin);
  };
  for (const Method method : kErrorControlled) {
    SCOPED_TRACE(NameOf(method).name);
    const RunResult run = Simulate(
        program,
        {.stop = 8, .tolerance = 1e-7, .method = method, .interval = 1});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    EXPECT_NEAR(run["q"].at(2), level(2), 2e-6);
    EXPECT_NEAR(run["q"].at(6), 0, 1e-9);
    EXPECT_NEAR(run["q"].final(), level(second), 2e-6);
    EXPECT_LT(run.events.size(), 10U);
  }
}

}  // namespace
}  // namespace orrery
