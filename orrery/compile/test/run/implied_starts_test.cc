// Fixed starts that follow from others and the equations.

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ImpliedStartsTest, OneThatFollowsFromAnotherByAnEquationIsTaken) {
  const Trajectory result = Simulate(CompileBody(R"(
  Real x(start = 0.1, fixed = true);
  Real y(start = 0.3, fixed = true);
equation
  der(x) = -x;
  y = 3*x;
)"),
                                     {.stop = 1, .tolerance = 1e-9});
  EXPECT_NEAR(result["y"].final(), 0.3 * std::exp(-1), 1e-8);
}

TEST(ImpliedStartsTest, OneMayFollowThroughOtherQuantities) {
  const Trajectory result = Simulate(CompileBody(R"(
  Real x(start = 1, fixed = true);
  Real w, v;
  Real y(start = 4, fixed = true);
equation
  y = 2*w;
  v = w;
  w = x + 1;
  der(x) = 1;
)"),
                                     {.stop = 1});
  EXPECT_NEAR(result["y"].final(), 6, 1e-12);
}

TEST(ImpliedStartsTest, OneMayFollowWhateverAParameterIs) {
  const Trajectory result = Simulate(CompileBody(R"(
  parameter Real a = 5;
  Real x(start = a, fixed = true);
  Real y(start = 2*a, fixed = true);
equation
  der(x) = 1;
  y = 2*x;
)"),
                                     {.stop = 1});
  EXPECT_NEAR(result["y"].final(), 12, 1e-12);
}

TEST(ImpliedStartsTest, AnInitialEquationMayRepeatAFixedStart) {
  const Trajectory result = Simulate(CompileBody(R"(
  Real x(start = 2, fixed = true);
equation
  der(x) = 1;
initial equation
  x = 2;
)"),
                                     {.stop = 1});
  EXPECT_NEAR(result["x"].final(), 3, 1e-12);
}

TEST(ImpliedStartsTest, AnInitialEquationMayFollowFromOthers) {
  const Trajectory result = Simulate(CompileBody(R"(
  parameter Real x0 = 2;
  Real x, y;
initial equation
  x = x0;
  y = 2*x0;
  x + y = x0 + 2*x0;
equation
  der(x) = -x;
  y = 2*x;
)"),
                                     {.stop = 1, .tolerance = 1e-9});
  EXPECT_NEAR(result["y"].final(), 4 * std::exp(-1), 1e-8);
}

TEST(ImpliedStartsTest, PartsThatAreGearedMayEachBeToldToBeSteady) {
  const Trajectory result = Simulate(CompileBody(R"(
  parameter Real r = 2;
  Real w1, w2, t;
initial equation
  der(w1) = 0;
  der(w2) = 0;
equation
  w1 = r*w2;
  2*der(w1) = 10 - w1 - t;
  3*der(w2) = r*t - w2;
)"),
                                     {.stop = 1});
  EXPECT_NEAR(result["w1"].at(0), 8, 1e-12);
  EXPECT_NEAR(result["w2"].final(), 4, 1e-12);
}

TEST(ImpliedStartsTest, StatesWithoutAStartAreStillFree) {
  const Trajectory result = Simulate(CompileBody(R"(
  Real x(start = 1, fixed = true);
  Real y(start = 2, fixed = true);
  Real z(start = 7), u(start = 8);
equation
  der(x) = 1;
  der(z) = 1;
  der(u) = 1;
  y = 2*x;
)"),
                                     {.stop = 1});
  EXPECT_NEAR(result["z"].final(), 8, 1e-12);
  EXPECT_NEAR(result["u"].final(), 9, 1e-12);
}

// The start is left out with a warning, as long as the numbers agree.
TEST(ImpliedStartsTest, WhatHoldsForTheGivenParametersOnlyIsTaken) {
  const auto program = CompileBody(R"(
  parameter Real a = 2;
  Real x(start = 1, fixed = true);
  Real y(start = 2, fixed = true);
equation
  der(x) = 1;
  y = a*x;
)");
  EXPECT_EQ(program->warnings.size(), 1);
  EXPECT_NEAR(Simulate(program, {.stop = 1})["y"].final(), 4, 1e-12);
}

TEST(ImpliedStartsTest, BothOfTwoThatContradictEachOtherAreNamed) {
  const std::string message = MessageOf([] {
    return CompileBody(R"(
  Real x(start = 1, fixed = true);
  Real y(start = 3, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
)");
  });
  EXPECT_THAT(message, HasSubstr("y has fixed = true, start = 3"));
  EXPECT_THAT(message, HasSubstr("x has fixed = true, start = 1"));
}

TEST(ImpliedStartsTest, OneMayAgreeWithAnElementOfAComputedArray) {
  const Trajectory result = Simulate(CompileBody(R"(
  parameter Real a = 10e5;
  parameter Real b = 4e5;
  parameter Real starts[3] = {a + (k - 1)/2*(b - a) for k in 1:3};
  parameter Real inlet = 1000000;
  Real p[3];
initial equation
  p = starts;
equation
  p[1] = inlet;
  der(p[2]) = p[1] - p[2];
  der(p[3]) = p[2] - p[3];
)"),
                                     {.stop = 1, .tolerance = 1e-9});
  EXPECT_DOUBLE_EQ(result["p[2]"][0], 7e5);
  EXPECT_NEAR(result["p[2]"].final(), 1e6 - 3e5 * std::exp(-1), 1e-2);
}

}  // namespace
}  // namespace orrery
