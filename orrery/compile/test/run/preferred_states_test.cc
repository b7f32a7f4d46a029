// Variables that are preferred as states (Modelica Language Specification 3.6,
// section 4.9.7.1), by the states of programs and by results.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/compile/test/run/states.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::ElementsAre;

// The real root of p + p^3 = m.
double PressureOf(double m) {
  const double root = std::sqrt(m * m / 4 + 1.0 / 27);
  return std::cbrt(m / 2 + root) + std::cbrt(m / 2 - root);
}

TEST(PreferredStatesTest, APressureIsAStateInPlaceOfTheMass) {
  const auto program = CompileBody(
      "  Real m, p(start = 2, fixed = true, stateSelect = "
      "StateSelect.prefer);\n"
      "equation\n"
      "  m = p + p^3;\n"
      "  der(m) = -m;\n");
  EXPECT_THAT(StatesOf(*program), ElementsAre("p"));
  const RunResult run = RunTo(1.5, program);
  EXPECT_NEAR(run["p"].final(), PressureOf(10 * std::exp(-1.5)), 1e-9);
  EXPECT_NEAR(run["m"].final(), 10 * std::exp(-1.5), 1e-8);
  EXPECT_EQ(run.summary.loop_iterations, 0);
}

TEST(PreferredStatesTest, TwoPreferredStatesReplaceMassAndEnergy) {
  const auto program = CompileBody(
      "  Real m, U, d, u;\n"
      "  Real p(start = 1, fixed = true, stateSelect = StateSelect.prefer);\n"
      "  Real T(start = 2, fixed = true, stateSelect = StateSelect.always);\n"
      "equation\n"
      "  m = 3*d;\n"
      "  d = p/T;\n"
      "  U = m*u;\n"
      "  u = T^2;\n"
      "  der(m) = -0.5*m;\n"
      "  der(U) = 0;\n");
  EXPECT_THAT(StatesOf(*program), ElementsAre("p", "T"));
  const RunResult run = RunTo(1, program);
  // m T^2 stays 6, m decays from 1.5.
  const double m = 1.5 * std::exp(-0.5);
  const double temperature = std::sqrt(6 / m);
  EXPECT_NEAR(run["T"].final(), temperature, 1e-8);
  EXPECT_NEAR(run["p"].final(), m / 3 * temperature, 1e-8);
}

TEST(PreferredStatesTest, ElementsOfAnArrayAreStates) {
  const auto program = CompileBody(
      "  Real m[3], p[3](start = {1, 2, 3}, each fixed = true, each "
      "stateSelect = StateSelect.prefer);\n"
      "equation\n"
      "  for i in 1:3 loop\n"
      "    m[i] = p[i] + p[i]^3;\n"
      "    der(m[i]) = -i*m[i];\n"
      "  end for;\n");
  EXPECT_EQ(program->state_slots.size(), 3U);
  const RunResult run = RunTo(1, program);
  for (const int i : {1, 2, 3}) {
    EXPECT_NEAR(run["p[" + std::to_string(i) + "]"].final(),
                PressureOf((i + i * i * i) * std::exp(-i)),
                1e-8);
  }
}

TEST(PreferredStatesTest, ThereAreNoMoreStatesThanDifferentialEquations) {
  const auto program = CompileBody(
      "  Real m, T(stateSelect = StateSelect.prefer);\n"
      "  Real p(start = 2, fixed = true, stateSelect = StateSelect.prefer);\n"
      "equation\n"
      "  m = p + p^3;\n"
      "  T = exp(p)*m;\n"
      "  der(m) = -m;\n");
  EXPECT_EQ(program->state_slots.size(), 1U);
  const double p = PressureOf(10 * std::exp(-1.0));
  EXPECT_NEAR(
      RunTo(1, program)["T"].final(), std::exp(p) * 10 * std::exp(-1.0), 1e-7);
}

TEST(PreferredStatesTest, WhatNoStateDependsOnIsNone) {
  const auto program = CompileBody(
      "  Real x(start = 1, fixed = true);\n"
      "  Real y(stateSelect = StateSelect.prefer);\n"
      "equation\n"
      "  der(x) = -x;\n"
      "  y = sin(time);\n");
  EXPECT_THAT(StatesOf(*program), ElementsAre("x"));
  EXPECT_NEAR(RunTo(2, program)["y"].final(), std::sin(2.0), 1e-15);
}

TEST(PreferredStatesTest, ADelayedSignalIsNotDifferentiated) {
  const auto program = CompileBody(
      "  Real x(start = 1, fixed = true);\n"
      "  Real y(stateSelect = StateSelect.prefer);\n"
      "equation\n"
      "  der(x) = -1;\n"
      "  y = 2*x + delay(x, 0.5);\n");
  EXPECT_THAT(StatesOf(*program), ElementsAre("x"));
  EXPECT_NEAR(RunTo(2, program)["y"].final(), -2.5, 1e-9);
}

// x goes on where an equation jumps, and m, which is preferred, jumps.
struct JumpCase {
  const char* name;
  const char* declarations;
  const char* equations;
  double m;  // At 1 s, by the closed form of x.
};

// A loop keeps the function from being written into the equation.
constexpr const char* kTwiceWithLoop =
    "  function twice\n"
    "    input Real m;\n"
    "    input Integer n;\n"
    "    output Real x;\n"
    "  algorithm\n"
    "    x := m;\n"
    "    for i in 1:n loop\n"
    "      x := x + m;\n"
    "    end for;\n"
    "  end twice;\n"
    "  Integer n(start = 0, fixed = true);\n"
    "  Real y = x - 1;\n"
    "  Boolean b(start = false, fixed = true);\n";

class JumpTest : public testing::TestWithParam<JumpCase> {};

TEST_P(JumpTest, TheDifferentiatedQuantityGoesOn) {
  const auto program = CompileBody(
      std::string("  Real x(start = 1, fixed = true);\n"
                  "  Real m(start = 1, stateSelect = StateSelect.prefer);\n") +
      GetParam().declarations +
      "equation\n"
      "  der(x) = 1;\n" +
      GetParam().equations);
  const RunResult run = RunTo(1, program);
  EXPECT_NEAR(run["x"].final(), 2, 1e-12);
  EXPECT_NEAR(run["m"].final(), GetParam().m, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    JumpTest,
    testing::Values(
        JumpCase{
            "ABranchByTime", "", "  x = if time < 0.5 then m else 2*m;", 1},
        JumpCase{"ABranchWithoutEvent",
                 "",
                 "  x = noEvent(if time < 0.5 then m else 2*m);",
                 1},
        JumpCase{"ADiscreteQuantity",
                 "  discrete Real d(start = 0, fixed = true);\n",
                 "  when time > 0.25 then d = pre(d) + 5; end when; x = m + d;",
                 -3},
        JumpCase{"AnotherEquation",
                 "  Real s;\n",
                 "  s = if time > 0.5 then 1 else 0; x = m + s;",
                 1},
        JumpCase{"APartOfANumber",
                 "  Real s;\n",
                 "  s = floor(4*time + 0.5); x = m + s;",
                 -2},
        JumpCase{"AnArgumentOfAFunction",
                 "  function f\n"
                 "    input Real m;\n"
                 "    input Boolean b;\n"
                 "    output Real x;\n"
                 "  algorithm\n"
                 "    x := if b then 2*m else m;\n"
                 "  end f;\n",
                 "  x = f(m, time > 0.5);",
                 1},
        JumpCase{
            "AnArgumentOfAFunctionWithALoop",
            kTwiceWithLoop,
            "  n = 0; b = false; x = twice(m, if time > 0.5 then 1 else 0);",
            1},
        JumpCase{"ASubscript",
                 "  parameter Real k[2] = {1, 2};\n",
                 "  x = m*k[if noEvent(time > 0.5) then 2 else 1];",
                 1},
        JumpCase{"APartOfANumberInASubscript",
                 "  parameter Real k[4] = {1, 1, 2, 4};\n",
                 "  x = m*k[noEvent(integer(floor(4*time*0.99))) + 1];",
                 0.5},
        JumpCase{"AnArgumentByAnotherQuantity",
                 kTwiceWithLoop,
                 "  b = y > 0.5; n = if b then 1 else 0; x = twice(m, n);",
                 1},
        JumpCase{"AnArgumentWithMemory",
                 kTwiceWithLoop,
                 "  b = m > 1.2 or pre(b);\n"
                 "  n = if pre(b) then 1 else 0;\n"
                 "  x = twice(m, n);",
                 1}),
    [](const auto& its) { return its.param.name; });

TEST(PreferredStatesTest, AKinkIsNoJump) {
  const auto program = CompileBody(
      "  Real x(start = 2, fixed = true);\n"
      "  Real m(start = 1, stateSelect = StateSelect.prefer);\n"
      "equation\n"
      "  der(x) = -1;\n"
      "  x = m + max(m, 0);\n");
  EXPECT_THAT(StatesOf(*program), ElementsAre("m"));
  const RunResult run = RunTo(3, program);
  EXPECT_NEAR(run["m"].final(), -1, 1e-9);
}

TEST(PreferredStatesTest, APhaseThatFollowsFromThePressureIsNoJump) {
  const auto program = CompileBody(
      "  function mass\n"
      "    input Real p;\n"
      "    input Integer phase;\n"
      "    output Real m;\n"
      "  algorithm\n"
      "    m := p;\n"
      "    for i in 2:phase loop\n"
      "      m := m + 2*(p - 2);\n"
      "    end for;\n"
      "  end mass;\n"
      "  Real m, p(start = 1, fixed = true, stateSelect = "
      "StateSelect.prefer);\n"
      "  Integer phase = if p > limit then 2 else 1;\n"
      "  parameter Real limit = 2;\n"
      "equation\n"
      "  m = mass(p, phase);\n"
      "  der(m) = 1;\n");
  EXPECT_THAT(StatesOf(*program), ElementsAre("p"));
  const RunResult run = RunTo(2, program);
  EXPECT_NEAR(run["m"].final(), 3, 1e-9);
  EXPECT_NEAR(run["p"].final(), 2 + 1.0 / 3, 1e-9);
}

// Each phase is the sum of the two before: there are 10^12 paths to the first.
TEST(PreferredStatesTest, WhatFollowsFromThePressureIsLookedAtOnce) {
  std::string phases = "d[1] = if p > 2 then 1 else 0;\n  d[2] = d[1];\n";
  for (int k = 3; k <= 60; ++k) {
    phases += "  d[" + std::to_string(k) + "] = mod(d[" +
              std::to_string(k - 1) + "] + d[" + std::to_string(k - 2) +
              "], 7);\n";
  }
  const auto program = CompileBody(
      "  function mass\n"
      "    input Real p;\n"
      "    input Integer n;\n"
      "    output Real m;\n"
      "  algorithm\n"
      "    m := p;\n"
      "    for i in 1:n loop\n"
      "      m := m + (p - 2);\n"
      "    end for;\n"
      "  end mass;\n"
      "  Real m, p(start = 1, fixed = true, stateSelect = "
      "StateSelect.prefer);\n"
      "  Integer d[60];\n"
      "equation\n"
      "  m = mass(p, d[60]);\n"
      "  der(m) = 1;\n  " +
      phases);
  EXPECT_THAT(StatesOf(*program), ElementsAre("p"));
}

TEST(PreferredStatesTest, AStartValueIsNotLeftForNone) {
  const auto program = CompileBody(
      "  Real m(start = 10), p(stateSelect = StateSelect.prefer);\n"
      "equation\n"
      "  m = p + p^3;\n"
      "  der(m) = -m;\n");
  EXPECT_THAT(StatesOf(*program), ElementsAre("m"));
  EXPECT_NEAR(RunTo(1, program)["m"].final(), 10 * std::exp(-1.0), 1e-8);
}

TEST(PreferredStatesTest, AStateThatEventsSetStaysOne) {
  const auto program = CompileBody(
      "  Real m(start = 10, fixed = true);\n"
      "  Real p(start = 2, stateSelect = StateSelect.prefer);\n"
      "equation\n"
      "  m = p + p^3;\n"
      "  der(m) = -m;\n"
      "  when time >= 1 then\n"
      "    reinit(m, 2);\n"
      "  end when;\n");
  EXPECT_THAT(StatesOf(*program), ElementsAre("m"));
  EXPECT_NEAR(
      RunTo(1.5, program)["p"].final(), PressureOf(2 * std::exp(-0.5)), 1e-8);
}

// The relative speed of two masses is a state in place of one of their speeds.
TEST(PreferredStatesTest, TheDerivativeOfAStateIsAState) {
  const auto program = CompileBody(
      "  Real a(start = 0, fixed = true), va(start = 0, fixed = true), vb;\n"
      "  Real b, s(start = 1, fixed = true, stateSelect = "
      "StateSelect.prefer);\n"
      "  Real v(start = 0, fixed = true, stateSelect = StateSelect.prefer);\n"
      "equation\n"
      "  der(a) = va; der(b) = vb; s = b - a; v = der(s);\n"
      "  der(va) = s; der(vb) = -s;\n");
  EXPECT_EQ(program->state_slots.size(), 4U);
  const std::vector<std::string> states = StatesOf(*program);
  EXPECT_NE(std::ranges::find(states, "v"), states.end());
  EXPECT_NEAR(
      RunTo(2, program)["s"].final(), std::cos(2 * std::sqrt(2.0)), 1e-8);
}

}  // namespace
}  // namespace orrery
