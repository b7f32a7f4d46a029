// Conditions on the start that depend on others without being the same.

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

// Three coils from sources to one node: der(i[k]) = V[k] - v - i[k], where the
// sum of the currents is 0. So v is the mean of V.
std::string Star(const std::string& initial, const std::string& more = "") {
  return R"(
  parameter Real V[3] = {3, 0, 0};
  Real i1, i2, i3, v;
)" + more +
         "initial equation\n" + initial + R"(
equation
  der(i1) = V[1] - v - i1;
  der(i2) = V[2] - v - i2;
  der(i3) = V[3] - v - i3;
  i1 + i2 + i3 = 0;
)";
}

TEST(SurplusStartsTest, TheDifferenceOfTwoConditionsMayBeAThird) {
  const auto program =
      CompileBody(Star("  i1 - i2 = -1;\n  i2 - i3 = 5;\n  i1 - i3 = 4;\n"));
  EXPECT_EQ(program->warnings.size(), 1);
  const Trajectory result = Simulate(program, {.stop = 1, .tolerance = 1e-9});
  EXPECT_NEAR(result["i1"].at(0), 1, 1e-9);
  EXPECT_NEAR(result["i2"].at(0), 2, 1e-9);
  EXPECT_NEAR(result["i3"].final(), -1 - 2 * std::exp(-1), 1e-7);
}

TEST(SurplusStartsTest, OneThatDoesNotAgreeEndsTheRunWithBothValues) {
  const RunResult result = Simulate(
      CompileBody(Star("  i1 - i2 = -1;\n  i2 - i3 = 5;\n  i1 - i3 = 4.5;\n")),
      {.stop = 1});
  EXPECT_EQ(result.summary.outcome, RunOutcome::kAssertion);
  EXPECT_THAT(result.summary.message,
              HasSubstr("the equations of the start contradict each other: i1 "
                        "- i3 is 4, not 4.5"));
}

// Currents that turn: each changes by the difference of the two others.
TEST(SurplusStartsTest, WhatIsLeftDeterminesAllOfARotation) {
  const Trajectory result =
      Simulate(CompileBody(Star("  der(i1) = i2 - i3;\n"
                                "  der(i2) = i3 - i1;\n"
                                "  der(i3) = i1 - i2;\n")),
               {.stop = 0.1});
  EXPECT_NEAR(result["i1"].at(0), 0.5, 1e-9);
  EXPECT_NEAR(result["i2"].at(0), 0.5, 1e-9);
  EXPECT_NEAR(result["i3"].at(0), -1, 1e-9);
}

// The same in two components that turn at the speed w: (1 + i*w)*z[k] = V[k] -
// v. That two conditions are surplus shows only where the sums are 0.
TEST(SurplusStartsTest, TheSpeedOfARotationMayBeUnknown) {
  const Trajectory result = Simulate(CompileBody(R"(
  parameter Real V[3] = {3, 0, 0};
  Real w(start = 2, fixed = true);
  Real a[3], b[3], va, vb;
initial equation
  for k in 1:3 loop
    der(a[k]) = -w*b[k];
    der(b[k]) = w*a[k];
  end for;
equation
  der(w) = 0;
  for k in 1:3 loop
    der(a[k]) = V[k] - va - a[k];
    der(b[k]) = -vb - b[k];
  end for;
  sum(a) = 0;
  sum(b) = 0;
)"),
                                     {.stop = 0.1});
  EXPECT_NEAR(result["a[1]"].at(0), 0.4, 1e-9);
  EXPECT_NEAR(result["b[1]"].at(0), -0.8, 1e-9);
  EXPECT_NEAR(result["a[3]"].at(0), -0.2, 1e-9);
  EXPECT_NEAR(result["b[3]"].at(0), 0.4, 1e-9);
}

// At rest a = 13 + n*f and b = m*f, where the force f = -13*n/(n^2 + m^2) keeps
// n*a + m*b at 0.
TEST(SurplusStartsTest, AConstraintDeterminesWhatItsDerivativeMakesSurplus) {
  const Trajectory result = Simulate(CompileBody(R"(
  parameter Real n = 2, m = 3;
  Real a, b, f;
initial equation
  der(a) = 0;
  der(b) = 0;
equation
  der(a) = 13 - a + n*f;
  der(b) = -b + m*f;
  n*a + m*b = 0;
)"),
                                     {.stop = 1});
  EXPECT_NEAR(result["a"].at(0), 9, 1e-9);
  EXPECT_NEAR(result["b"].final(), -6, 1e-6);
}

TEST(SurplusStartsTest, StatesOfOtherPartsStillStartWhereTheyAreToldTo) {
  const Trajectory result = Simulate(
      CompileBody(Star("  i1 - i2 = -1;\n  i2 - i3 = 5;\n  i1 - i3 = 4;\n",
                       "  Real x(start = 7), y(start = 8);\n") +
                  "  der(x) = 1;\n  der(y) = -2;\n"),
      {.stop = 1});
  EXPECT_NEAR(result["x"].final(), 8, 1e-12);
  EXPECT_NEAR(result["y"].final(), 6, 1e-12);
}

// Neither start tells the other until the equations are solved for p.
TEST(SurplusStartsTest, StartsMayDependOnEachOtherThroughNonlinearEquations) {
  const Trajectory result = Simulate(CompileBody(R"(
  Real x(start = 2, fixed = true);
  Real y(start = 4, fixed = true);
  Real p(start = 0.5);
equation
  x = exp(p);
  y = exp(2*p);
  der(p) = 1;
)"),
                                     {.stop = 1, .tolerance = 1e-9});
  EXPECT_NEAR(result["p"].final(), std::log(2) + 1, 1e-8);
  EXPECT_NEAR(result["y"].final(), 4 * std::exp(2), 1e-6);
}

TEST(SurplusStartsTest, SmallQuantitiesAreComparedByTheirOwnSize) {
  const auto charge = [](const std::string& third) {
    return Simulate(CompileBody(R"(
  Real a, b, c;
initial equation
  a - b = 1e-9;
  b - c = 1e-9;
  a - c = )" + third + R"(;
equation
  der(a) = 0;
  der(b) = 0;
  a + b + c = 0;
)"),
                    {.stop = 1});
  };
  EXPECT_TRUE(charge("2e-9").summary.completed());
  EXPECT_NEAR(charge("2e-9")["a"].final(), 1e-9, 1e-18);
  EXPECT_EQ(charge("2.1e-9").summary.outcome, RunOutcome::kAssertion);
}

// The relay has its position, and the switch asks for it as its own.
TEST(SurplusStartsTest, WhatWasBeforeTheStartMayBeSaidByEachOfTwoParts) {
  const Trajectory result = Simulate(CompileBody(R"(
  Boolean y(start = true, fixed = true);
  Boolean open;
  Integer n(start = 0, fixed = true);
initial equation
  pre(open) = not y;
equation
  open = not y;
  when open then
    n = pre(n) + 1;
  end when;
algorithm
  when time > 0.5 then
    y := not y;
  end when;
)"),
                                     {.stop = 1});
  EXPECT_EQ(result["open"].at(0), 0);
  EXPECT_EQ(result["y"].final(), 0);
  EXPECT_EQ(result["n"].final(), 1);
}

}  // namespace
}  // namespace orrery
