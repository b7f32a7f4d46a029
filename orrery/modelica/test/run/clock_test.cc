// Clocks (specification 3.6, chapter 16), by their results.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/after_a_second.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// A plant of first order, exact between the ticks, and a controller of integral
// action that sees the plant just before each tick.
TEST(ClockTest, AControllerSeesWhatWasJustBeforeATick) {
  constexpr double kInterval = 0.1;
  const auto program = CompileBody(R"(
  parameter Real T = 0.1;
  Real x(start = 1, fixed = true), u;
  Real e, y, s(start = 0);
equation
  der(x) = -x + u;
  e = 2 - sample(x, Clock(T));
  s = previous(s) + T*e;
  y = 0.5*e + s;
  u = hold(y);
)");
  double x = 1;
  double s = 0;
  double y = 0;
  const double decay = std::exp(-kInterval);
  for (int k = 0; k <= 20; ++k) {
    s += kInterval * (2 - x);
    y = 0.5 * (2 - x) + s;
    x = decay * x + (1 - decay) * y;
  }
  const Trajectory result = Simulate(program, {.stop = 2, .tolerance = 1e-10});
  EXPECT_NEAR(result["y"].final(), y, 1e-9);
}

TEST(ClockTest, WhatIsSampledMayHaveANegativeName) {
  EXPECT_NEAR(AfterASecond("x", R"(
  Real x(start = 1, fixed = true), k, u = hold(k);
equation
  der(x) = u;
  k = -sample(x, Clock(0.5));
)"),
              0.25,
              1e-12);
}

TEST(ClockTest, AnIntervalIsAParameterOfARun) {
  const auto program = CompileBody(R"(
  parameter Real T = 0.1;
  Integer n(start = 0);
equation
  when Clock(T) then
    n = previous(n) + 1;
  end when;
)");
  EXPECT_EQ(Simulate(program, {.stop = 1})["n"].final(), 11);
  EXPECT_EQ(
      Simulate(program, {.stop = 1, .settings = {{"T", 0.3}}})["n"].final(), 4);
}

TEST(ClockTest, ClocksOfOneBaseTickTogetherWhereTheyMeet) {
  const Trajectory result = Simulate(CompileBody(R"(
  Clock c = Clock(1, 10);
  Clock every = subSample(c, 3);
  Clock between = shiftSample(c, 1, 2);
  Integer n(start = 0), m(start = 0), k(start = 0), latest;
equation
  when c then
    n = previous(n) + 1;
    latest = superSample(m, 3);
  end when;
  when every then
    m = previous(m) + 1;
  end when;
  when between then
    k = previous(k) + 1;
  end when;
)"),
                                     {.stop = 10});
  EXPECT_EQ(result["n"].final(), 101);
  EXPECT_EQ(result["c"].final(), 101);
  EXPECT_EQ(result["m"].final(), 34);
  EXPECT_EQ(result["every"].final(), 34);
  EXPECT_EQ(result["k"].final(), 100);
  EXPECT_EQ(result["latest"].final(), 34);
}

TEST(ClockTest, AFactorIsInferredFromWhatElseIsSaidOfAClock) {
  const std::string body = R"(
  Integer fast(start = 0), slow(start = 0), seen;
equation
  when Clock(1, 50) then
    fast = previous(fast) + 1;
  end when;
  when Clock(0.1) then
    slow = previous(slow) + 1;
    seen = subSample(fast);
  end when;
)";
  EXPECT_EQ(AfterASecond("fast", body), 51);
  EXPECT_EQ(AfterASecond("slow", body), 11);
  EXPECT_EQ(AfterASecond("seen", body), 51);
}

TEST(ClockTest, AShiftedClockTakesTheLatestValue) {
  const std::string body = R"(
  Real x = sample(time, Clock(0.1));
  Real late = shiftSample(x, 3, 2);
  Real back = backSample(late, 1, 2);
  Real h = hold(late);
)";
  EXPECT_NEAR(AfterASecond("h", body), 0.9, 1e-12);
  EXPECT_NEAR(AfterASecond("back", body), 0.9, 1e-12);
  const Trajectory early = Simulate(CompileBody(body), {.stop = 0.14});
  EXPECT_EQ(early["h"].final(), 0);
}

// The equations of the clock would give other values, and fail at 1/0.
TEST(ClockTest, AShiftedClockShowsStartsBeforeItsFirstTick) {
  const auto program = CompileBody(R"(
  Real x = sample(time + 3, Clock(0.1));
  Real late(start = 7) = shiftSample(x, 3, 2);
  Real inverse = 1/late;
  Integer count(start = 4) = integer(2*late);
  Real direct = sample(time + 5, shiftSample(Clock(0.1), 1, 1));
)");
  const Trajectory result = Simulate(program, {.stop = 0.2, .interval = 0.05});
  EXPECT_EQ(result["late"][0], 7);
  EXPECT_EQ(result["inverse"][0], 0);
  EXPECT_EQ(result["count"][0], 4);
  EXPECT_EQ(result["direct"][0], 0);
  EXPECT_NEAR(result["late"].final(), 3.1, 1e-12);
  EXPECT_NEAR(result["inverse"].final(), 1 / 3.1, 1e-12);
  EXPECT_EQ(result["count"].final(), 6);
  EXPECT_NEAR(result["direct"].final(), 5.2, 1e-12);
  const Trajectory early = Simulate(program, {.stop = 0.09});
  EXPECT_EQ(early["late"].final(), 7);
  EXPECT_EQ(early["direct"].final(), 0);
}

TEST(ClockTest, PartsOfAShiftedClockMayBeConnected) {
  const auto program = CompileBody(R"(
  connector In = input Real;
  connector Out = output Real;
  block Gain
    In u;
    Out y;
    parameter Real k = 2;
  equation
    y = k*u;
  end Gain;
  Gain first, second(k = 5);
  Real x = sample(time + 1, Clock(0.1));
equation
  first.u = shiftSample(x, 1, 2);
  connect(first.y, second.u);
)");
  const Trajectory result = Simulate(program, {.stop = 0.16});
  EXPECT_EQ(result["second.y"][0], 0);
  EXPECT_NEAR(result["second.u"].final(), 2.2, 1e-12);
  EXPECT_NEAR(result["second.y"].final(), 11, 1e-12);
}

TEST(ClockTest, HoldGivesTheStartBeforeTheFirstTick) {
  const std::string body = R"(
  Real x(start = 7);
  Real h = hold(x);
equation
  when Clock(time >= 0.5) then
    x = previous(x) + 1;
  end when;
)";
  EXPECT_EQ(Simulate(CompileBody(body), {.stop = 0.4})["h"].final(), 7);
  EXPECT_EQ(AfterASecond("h", body), 8);
}

TEST(ClockTest, TheIntervalOfAClockOfEventsIsMeasured) {
  const auto program = CompileBody(R"(
  constant Real pi = 3.14159265358979;
  Real x = sin(2*pi*time);
  Integer n(start = 0), few(start = 0), seen;
  Real i, t;
  Boolean is_first;
equation
  when Clock(x > 0.5, 0.25) then
    n = previous(n) + 1;
    i = interval();
    t = time;
    is_first = firstTick();
  end when;
  seen = subSample(n, 2);
  few = previous(few) + (if seen > 0 then 1 else 0);
)");
  const Trajectory once = Simulate(program, {.stop = 1});
  EXPECT_NEAR(once["t"].final(), 1.0 / 12, 1e-9);
  EXPECT_EQ(once["i"].final(), 0.25);
  EXPECT_EQ(once["is_first"].final(), 1);
  const Trajectory more = Simulate(program, {.stop = 4.5});
  EXPECT_EQ(more["n"].final(), 5);
  EXPECT_NEAR(more["t"].final(), 4 + 1.0 / 12, 1e-8);
  EXPECT_NEAR(more["i"].final(), 1, 1e-8);
  EXPECT_EQ(more["is_first"].final(), 0);
  EXPECT_EQ(more["seen"].final(), 5);
  EXPECT_EQ(more["few"].final(), 3);
}

// A value that the tick sets makes its own condition false again.
TEST(ClockTest, ATickMayUndoItsCondition) {
  const std::string body = R"(
  Real phi(start = 0, fixed = true), last(start = 0);
  Integer n(start = 0);
equation
  der(phi) = 1;
  when Clock(phi - hold(last) >= 0.3) then
    last = sample(phi);
    n = previous(n) + 1;
  end when;
)";
  EXPECT_EQ(AfterASecond("n", body), 3);
  EXPECT_NEAR(AfterASecond("last", body), 0.9, 1e-9);
}

TEST(ClockTest, EquationsOfAPartitionAreSolvedTogetherInAnyForm) {
  const std::string body = R"(
  Real u = sample(3.0, Clock(0.5)), a, b, c[2];
  Boolean high = a > 1;
  Integer n = if high then 2 else 1;
equation
  a + b = 3*u;
  sin(a) - b = 1;
  {c[1] + c[2], c[1] - c[2]} = {u, n*a};
)";
  const double a = AfterASecond("a", body);
  const double b = AfterASecond("b", body);
  EXPECT_NEAR(a + b, 9, 1e-9);
  EXPECT_NEAR(std::sin(a) - b, 1, 1e-9);
  EXPECT_NEAR(AfterASecond("c[1]", body), (3 + 2 * a) / 2, 1e-9);
}

TEST(ClockTest, SolversOfAClockStepFromTickToTick) {
  const auto after_ten_steps = [](const std::string& method) {
    return AfterASecond("x",
                        R"(
  Real x(start = 1);
equation
  when Clock(Clock(0.1), solverMethod = ")" +
                            method + R"(") then
    der(x) = -x;
  end when;
)");
  };
  EXPECT_NEAR(after_ten_steps("ExplicitEuler"), std::pow(0.9, 10), 1e-12);
  EXPECT_NEAR(after_ten_steps("ImplicitEuler"), std::pow(1.1, -10), 1e-12);
  EXPECT_NEAR(
      after_ten_steps("ImplicitTrapezoid"), std::pow(0.95 / 1.05, 10), 1e-12);
}

TEST(ClockTest, AnAlgorithmKeepsWhatItWasAtTheTickBefore) {
  EXPECT_EQ(AfterASecond("k", R"(
  Integer k(start = 0);
  Real x;
algorithm
  x := sample(time, Clock(0.1));
  if x > 0.45 then
    k := k + 1;
  end if;
)"),
            6);
}

TEST(ClockTest, PreviousOfElementsIsThatOfTheirVariable) {
  const std::string body = R"(
  Real u = sample(time, Clock(0.1)), line[4], y;
equation
  line = cat(1, {u}, previous(line[1:3]));
  for i in 2:2 loop
    y = previous(line[i]) - line[i + 1];
  end for;
)";
  EXPECT_NEAR(AfterASecond("line[4]", body), 0.7, 1e-12);
  EXPECT_EQ(AfterASecond("y", body), 0);
}

TEST(ClockTest, NoClockTakesTheLatestValueOfAnotherClock) {
  EXPECT_NEAR(AfterASecond("y", R"(
  parameter Real S = 0.07;
  Real x = sample(time, Clock(0.1)), y;
equation
  when Clock(S) then
    y = noClock(x);
  end when;
)"),
              0.9,
              1e-12);
}

TEST(ClockTest, TheTimeInEquationsOfAClockIsThatOfTheTick) {
  EXPECT_NEAR(AfterASecond("t", R"(
  Real t;
  Integer n(start = 0);
equation
  when Clock(3, 10) then
    n = previous(n) + 1;
    t = time;
  end when;
)"),
              0.9,
              1e-12);
}

}  // namespace
}  // namespace orrery
