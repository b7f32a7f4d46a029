// Starts of models with homotopy(actual, simplified) of Modelica.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

RunResult RunBody(const std::string& body,
                  const SimulationOptions& options = {.stop = 1}) {
  return Simulate(CompileBody(body), options);
}

// The roots are -1, 0, 1. From x = -2, where x + 2 = 0, the only real root of
// a (x^3 - x) + (1 - a)(x + 2) leads to -1.
TEST(HomotopyTest, OfSeveralSolutionsThePathLeadsToOne) {
  const RunResult run = RunBody(
      "  Real x(start = 1);\n"
      "equation\n"
      "  homotopy(actual = x^3 - x, simplified = x + 2) = 0;\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"][0], -1, 1e-9);
  EXPECT_NEAR(run["x"].final(), -1, 1e-9);
}

// a (y^2 - 4) - (1 - a)(y + 1) = 0 has one negative root for each a, from -1 to
// -2. Later y = -sqrt(4 + t).
TEST(HomotopyTest, TheRunFollowsTheActualEquationFromThere) {
  const RunResult run = RunBody(
      "  Real y(start = 3), z(start = 0, fixed = true);\n"
      "equation\n"
      "  homotopy(simplified = -y - 1, actual = y^2 - 4 - time) = 0;\n"
      "  der(z) = y;\n",
      {.stop = 5, .tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["y"][0], -2, 1e-9);
  EXPECT_NEAR(run["y"].final(), -3, 1e-9);
  EXPECT_NEAR(run["z"].final(), -2.0 / 3 * (27 - 8), 1e-7);
}

// The steady states of der(x) = x - x^3 are -1, 0, 1.
TEST(HomotopyTest, ASteadyStateIsChosenByThePath) {
  const RunResult run = RunBody(
      "  Real x(start = -1);\n"
      "initial equation\n"
      "  der(x) = 0;\n"
      "equation\n"
      "  der(x) = homotopy(x - x^3, 2 - x);\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"][0], 1, 1e-9);
  EXPECT_NEAR(run["x"].final(), 1, 1e-9);
}

TEST(HomotopyTest, InitialEquationsFollowThePathToo) {
  const RunResult run = RunBody(
      "  Real x(start = 5);\n"
      "initial equation\n"
      "  homotopy(x^2 - 9, -x - 1) = 0;\n"
      "equation\n"
      "  der(x) = 1;\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"][0], -3, 1e-9);
  EXPECT_NEAR(run["x"].final(), -2, 1e-9);
}

// The branch that holds, and the inner one of two, are followed.
TEST(HomotopyTest, BranchesAndNestedOnesFollowIt) {
  const RunResult run = RunBody(
      "  parameter Boolean b = true;\n"
      "  Real x(start = 1), y(start = 1);\n"
      "equation\n"
      "  if b then\n"
      "    homotopy(x^2 - 4, -x - 2) = 0;\n"
      "  else\n"
      "    x = 7;\n"
      "  end if;\n"
      "  homotopy(homotopy(y^2 - 9, -y - 4), -y - 5) = 0;\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), -2, 1e-9);
  EXPECT_NEAR(run["y"].final(), -3, 1e-9);
}

// A Schmitt trigger with its input between its thresholds, where three outputs
// hold: 15 V, -15 V, and one between. The simplified output says which.
TEST(HomotopyTest, ASchmittTriggerStartsAsItsSimplifiedOutputSays) {
  for (const double v : {15.0, -15.0}) {
    const RunResult run = RunBody(
        "  parameter Real v = 15;\n"
        "  Real u = 0.5*time, p, y;\n"
        "equation\n"
        "  y = homotopy(if 15000*(p - u) > 15 then 15\n"
        "               elseif 15000*(p - u) < -15 then -15\n"
        "               else 15000*(p - u), v);\n"
        "  p = y/2;\n",
        {.stop = 1, .settings = {{"v", v}}});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    EXPECT_EQ(run["y"][0], v);
    EXPECT_EQ(run["y"].final(), v);
  }
}

TEST(HomotopyTest, WithoutASimplifiedSolutionTheActualEquationsAreSolved) {
  const RunResult run = RunBody(
      "  Real x(start = 2);\n"
      "equation\n"
      "  homotopy(x^2 - 9, x^2 + 1) = 0;\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), 3, 1e-9);
}

// x^3 - x + 1 - 2 a: the root -1.3247 of a = 0 ends at a fold, at a = 0.69.
TEST(HomotopyTest, APathThatEndsLeadsToTheActualEquations) {
  const RunResult run = RunBody(
      "  Real x(start = 2);\n"
      "equation\n"
      "  homotopy(x^3 - x - 1, x^3 - x + 1) = 0;\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), 1.324717957244746, 1e-9);
}

// a (x^2 + 1) + (1 - a)(x - 1) has no root for 7 a^2 > 2 a + 1: the path ends
// at a = (1 + sqrt(8))/7 = 0.5469.
TEST(HomotopyTest, AStartThatIsNotFoundTellsHowFarThePathLed) {
  const RunResult run = RunBody(
      "  Real x(start = 2);\n"
      "equation\n"
      "  homotopy(x^2 + 1, x - 1) = 0;\n");
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_NE(run.summary.message.find("from the simplified formulas of "
                                     "homotopy(), solutions lead up to 54.7 % "
                                     "of the way to the actual ones"),
            std::string::npos)
      << run.summary.message;
}

TEST(HomotopyTest, AStartWithoutEitherSolutionTellsThat) {
  const RunResult run = RunBody(
      "  Real x(start = 2);\n"
      "equation\n"
      "  homotopy(x^2 + 1, x^2 + 2) = 0;\n");
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_NE(run.summary.message.find("with the simplified formulas of "
                                     "homotopy() no start was found either"),
            std::string::npos)
      << run.summary.message;
}

// tanh is flat but for 0.1 about 3. The path from 2.5 leads there:
// x = 3 + atanh(-1/2)/50.
TEST(HomotopyTest, ASolutionInANarrowStepIsFoundByThePathAlone) {
  const std::string x = "  Real x(start = -100);\nequation\n  ";
  const std::string actual = "tanh(50*(x - 3)) + 0.5";
  EXPECT_FALSE(RunBody(x + actual + " = 0;\n").summary.completed());
  const RunResult run = RunBody(x + "homotopy(" + actual + ", x - 2.5) = 0;\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), 3 + std::atanh(-0.5) / 50, 1e-9);
}

// A diode with a resistor, from its usual voltage.
TEST(HomotopyTest, ASteepExponentialFollowsThePath) {
  const RunResult run = RunBody(
      "  Real v(start = 100);\n"
      "equation\n"
      "  homotopy(1e-14*(exp(40*v) - 1) + (v - 5)/1000, v - 0.7) = 0;\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const double v = run["v"].final();
  EXPECT_NEAR(1e-14 * std::expm1(40 * v) + (v - 5) / 1000, 0, 1e-9);
}

// The actual equations have the root 1, among others.
TEST(HomotopyTest, ASolutionThatThePathConfirmsKeepsItsBits) {
  for (const char* const actual : {"x^2 + x - 2",
                                   "exp(x) - exp(1) + x^3 - 1",
                                   "x^5 + x - 2 - sin(x - 1)"}) {
    const std::string x = "  Real x(start = 3);\nequation\n  ";
    const RunResult alone = RunBody(x + actual + std::string(" = 0;\n"));
    const RunResult led =
        RunBody(x + "homotopy(" + actual + ", 2*x - 3) = 0;\n");
    ASSERT_TRUE(led.summary.completed()) << led.summary.message;
    EXPECT_NEAR(led["x"][0], 1, 1e-9);
    EXPECT_EQ(led["x"][0], alone["x"][0]) << actual;
  }
}

// x = y and x^2 + y = 2 have the solutions y = 1 and y = -2. With -2 for x,
// y = -2 holds all the way.
TEST(HomotopyTest, ACopyOfAnUnknownMayBeSimplifiedToANumber) {
  const RunResult run = RunBody(
      "  Real x(start = 1), y(start = 1);\n"
      "equation\n"
      "  x = homotopy(y, -2);\n"
      "  x^2 + y = 2;\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), -2, 1e-9);
  EXPECT_NEAR(run["y"].final(), -2, 1e-9);
}

// A Schmitt trigger that charges a capacitor, at rest with an output of 0 too.
// The voltage rises by 400 V/s to 10 V, where the output changes from -15 V to
// 15 V; but for an amplification of 15000, which moves that by 2 mV.
TEST(HomotopyTest, ARelaxationOscillatorLeavesItsUnstableRest) {
  const RunResult run = RunBody(
      "  Real y, p, c(start = 0, fixed = true);\n"
      "equation\n"
      "  y = homotopy(if 15000*p > 15 then 15\n"
      "               elseif 15000*p < -15 then -15 else 15000*p, -15);\n"
      "  p = 0.4*y + 0.6*c;\n"
      "  der(c) = -400/15*y;\n",
      {.stop = 0.09, .interval = 0.01});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run["y"][0], -15);
  const auto at = [&](double t, const char* name) {
    const auto times = run.trajectory.time();
    std::size_t row = 0;
    while (times[row] < t - 1e-9) {
      ++row;
    }
    return run[name][row];
  };
  EXPECT_NEAR(at(0.02, "c"), 8, 1e-6);
  EXPECT_EQ(at(0.02, "y"), -15);
  EXPECT_NEAR(at(0.05, "c"), 0, 0.01);
  EXPECT_EQ(at(0.05, "y"), 15);
  EXPECT_NEAR(at(0.09, "c"), -4, 0.02);
  EXPECT_EQ(at(0.09, "y"), -15);
}

// Source: Modelica Language Specification 3.6, section 3.7.4.4, example 2: a
// source that starts with another voltage than its own. The trigger behind it
// keeps the state that is its only one there; at 12 V it has three.
TEST(HomotopyTest, ParametersOfEquationsAreFollowedToo) {
  for (const double side : {1.0, -1.0}) {
    const RunResult run = RunBody(
        "  parameter Real V = 12, side = 1;\n"
        "  Real v, y;\n"
        "equation\n"
        "  v = homotopy(actual = V, simplified = 12 + 84*side);\n"
        "  y = noEvent(if y + v/12 - 1 > 1 then 5\n"
        "      elseif y + v/12 - 1 < -1 then -5 else 5*(y + v/12 - 1));\n",
        {.stop = 1, .settings = {{"side", side}}});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    EXPECT_NEAR(run["v"].final(), 12, 1e-12);
    EXPECT_NEAR(run["y"].final(), 5 * side, 1e-9);
  }
}

// Example 4, which the specification warns of: the way is singular in its
// middle, at any start.
TEST(HomotopyTest, EquationsWithOneSolutionAloneNeedNoPath) {
  const auto program = CompileBody(
      "  Real x;\n"
      "initial equation\n"
      "  0 = homotopy(der(x), x);\n"
      "equation\n"
      "  der(x) = 1 - x;\n");
  EXPECT_FALSE(program->homotopy.has_value());
  EXPECT_NEAR(Simulate(program, {.stop = 1})["x"][0], 1, 1e-12);
}

// x[i]^2 = i, with the negative roots.
TEST(HomotopyTest, LoopsAndVectorsFollowIt) {
  for (const char* const equations :
       {"for i in 1:3 loop\n"
        "    homotopy(x[i]^2 - i, -x[i] - 2) = 0;\n  end for;\n",
        "homotopy(x.^2 - {1, 2, 3}, -x - {2, 2, 2}) = zeros(3);\n"}) {
    const RunResult run = RunBody("  Real x[3](each start = 1);\nequation\n  " +
                                  std::string(equations));
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    for (int i = 1; i <= 3; ++i) {
      EXPECT_NEAR(
          run["x[" + std::to_string(i) + "]"].final(), -std::sqrt(i), 1e-9)
          << equations;
    }
  }
}

TEST(HomotopyTest, FunctionsAndAlgorithmsHaveTheActualFormula) {
  const RunResult run = RunBody(
      "  function f\n    input Real u;\n    output Real y;\n"
      "  algorithm\n    y := homotopy(u^2, 0);\n  end f;\n"
      "  Real x, z;\n"
      "algorithm\n  z := homotopy(f(3) + time, 0);\n"
      "equation\n  x = f(time + 2);\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), 9, 1e-12);
  EXPECT_NEAR(run["z"].final(), 10, 1e-12);
}

TEST(HomotopyTest, ArgumentsOfDifferentSizesAreRefused) {
  const std::string message = MessageOf([] {
    return CompileBody(
        "  Real x[2], y;\n"
        "equation\n"
        "  x = homotopy({time, y}, y);\n"
        "  y = time;\n");
  });
  EXPECT_NE(message.find("'homotopy' takes two values of one size"),
            std::string::npos)
      << message;
}

// Relations in the simplified formula are none of the run.
TEST(HomotopyTest, SimplifiedFormulasMakeNoEvents) {
  const RunResult run = RunBody(
      "  Real x(start = 0, fixed = true), y(start = 1);\n"
      "equation\n"
      "  der(x) = 1;\n"
      "  homotopy(y^3 - 1 - x, y - (if x > 0.5 then 1 else 2)) = 0;\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run.events.size(), 0);
  EXPECT_NEAR(run["y"].final(), std::cbrt(2.0), 1e-9);
}

TEST(HomotopyTest, ItsDerivativeIsThatOfTheActualFormula) {
  const RunResult run = RunBody(
      "  Real x(start = 1, fixed = true), v;\n"
      "equation\n"
      "  der(x) = 2;\n"
      "  v = der(homotopy(x^2, 0));\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["v"][0], 4, 1e-9);
  EXPECT_NEAR(run["v"].final(), 12, 1e-7);
}

}  // namespace
}  // namespace orrery
