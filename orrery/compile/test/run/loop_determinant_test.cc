// Loops with parameters as gains, which have no unique solution for some values
// of these.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/operating_point.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kFree =
    "  parameter Real p = 1, q = 1;\n"
    "  Real x, y;\n"
    "equation\n"
    "  x = p*y;\n"
    "  y = q*x;\n";

constexpr const char* kContradiction =
    "  parameter Real p = 1;\n"
    "  Real x, y;\n"
    "equation\n"
    "  x = 1 + y;\n"
    "  y = p*x;\n";

RunResult RunWith(const std::string& body,
                  const std::vector<Setting>& settings = {}) {
  return Simulate(CompileBody(body), {.stop = 1, .settings = settings});
}

std::vector<int> LinesOf(const RunResult& run) {
  std::vector<int> lines;
  for (const Diagnostic& diagnostic : run.summary.diagnostics) {
    lines.push_back(diagnostic.line);
  }
  return lines;
}

TEST(LoopDeterminantTest, ALoopThatItsGainsLeaveFreeIsNotSolvedByZeros) {
  const RunResult run = RunWith(kFree);
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_EQ(run.trajectory.rows(), 0);
  EXPECT_EQ(run.summary.message,
            "cannot solve the algebraic loop {x, y}: with p = 1, q = 1 its "
            "equations leave it free, there are infinitely many solutions: x = "
            "p*y, y = q*x");
}

TEST(LoopDeterminantTest, TheEquationsOfTheLoopAreShownWithARemedy) {
  const RunResult run = RunWith(kFree);
  EXPECT_THAT(LinesOf(run), ElementsAre(5, 6));
  EXPECT_EQ(run.summary.diagnostics[0].hint,
            "change these parameters, or check the loop's signs and gains");
  EXPECT_EQ(run.summary.diagnostics[1].message, "also of this loop: y = q*x");
}

TEST(LoopDeterminantTest, OtherGainsDetermineTheSameLoop) {
  const RunResult run = RunWith(kFree, {{"p", 2}});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run["x"].final(), 0);
  EXPECT_EQ(run["y"].final(), 0);
}

TEST(LoopDeterminantTest, GainsThatAreSetMayLeaveALoopFree) {
  const RunResult run = RunWith(kFree, {{"p", 0.5}, {"q", 2}});
  EXPECT_THAT(run.summary.message, HasSubstr("with p = 0.5, q = 2 its"));
}

TEST(LoopDeterminantTest, ALoopThatContradictsItselfIsNamed) {
  const RunResult run = RunWith(kContradiction);
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_EQ(run.summary.message,
            "cannot solve the algebraic loop {x, y}: with p = 1 its equations "
            "contradict each other or leave it free: x = 1 + y, y = p*x");
  EXPECT_THAT(LinesOf(run), ElementsAre(5, 6));
  EXPECT_EQ(run.summary.diagnostics[0].hint,
            "change this parameter, or check the loop's signs and gains");
}

TEST(LoopDeterminantTest, ALoopOfOneEquationIsOne) {
  EXPECT_EQ(RunWith("  parameter Real p = 1;\n"
                    "  Real x;\n"
                    "equation\n"
                    "  x = p*x + time;\n")
                .summary.message,
            "cannot solve the algebraic loop {x}: with p = 1 its equations "
            "contradict each other or leave it free: x = p*x + time");
}

TEST(LoopDeterminantTest, ThreeUnknownsWithAMatrixOfParametersAreTested) {
  const std::string body =
      "  parameter Real A[3,3] = {{1,2,3},{4,5,6},{7,8,9}};\n"
      "  Real x[3];\n"
      "equation\n"
      "  A*x = {0, 0, 0};\n";
  EXPECT_THAT(RunWith(body).summary.message,
              HasSubstr("cannot solve the algebraic loop {x[1], x[2], x[3]}: "
                        "with A[1, 1] = 1, A[1, 2] = 2, "));
  EXPECT_TRUE(RunWith(body, {{"A[3,3]", 10}}).summary.completed());
}

// Five unknowns follow from one that is guessed.
constexpr const char* kRing =
    "  parameter Real a = 0.1, b = 0.2, c = 0.7, d = 1;\n"
    "  Real x1, x2, x3, x4, x5;\n"
    "equation\n"
    "  x1 = a*x5 + b*x5 + c*x5 + 1;\n"
    "  x2 = d*x1;\n"
    "  x3 = d*x2;\n"
    "  x4 = d*x3;\n"
    "  x5 = d*x4;\n";

TEST(LoopDeterminantTest, ALoopThatIsTornIsTestedAsWell) {
  const auto program = CompileBody(kRing);
  ASSERT_EQ(program->blocks.size(), 1);
  const RunResult run = Simulate(program, {.stop = 1});
  EXPECT_THAT(run.summary.message,
              HasSubstr("loop {x1, x2, x3, x4, x5}: with a = 0.1, b = 0.2, c = "
                        "0.7, d = 1 its equations contradict each other"));
  EXPECT_THAT(LinesOf(run), ElementsAre(5, 6, 7, 8, 9));
}

TEST(LoopDeterminantTest, ATornLoopOfOtherGainsIsSolved) {
  const RunResult run = RunWith(kRing, {{"c", 0.2}});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x5"].final(), 2, 1e-14);  // x = x/2 + 1
}

TEST(LoopDeterminantTest, AFactorOfNothingButTheUnknownMustNotBeZero) {
  const std::string body =
      "  parameter Real p = 0;\n"
      "  Real x;\n"
      "equation\n"
      "  p*x = 0;\n";
  EXPECT_EQ(RunWith(body).summary.message,
            "cannot solve the algebraic loop {x}: with p = 0 its equations "
            "leave it free, there are infinitely many solutions: p*x = 0");
  EXPECT_EQ(RunWith(body, {{"p", 3}})["x"].final(), 0);
}

TEST(LoopDeterminantTest, AFactorOfASumMustNotBeZero) {
  const std::string body =
      "  parameter Real p = 0;\n"
      "  Real x;\n"
      "equation\n"
      "  p*(x + 2) = 0;\n";
  EXPECT_THAT(RunWith(body).summary.message,
              HasSubstr("with p = 0 its equations leave it free"));
  EXPECT_EQ(RunWith(body, {{"p", 3}})["x"].final(), -2);
}

TEST(LoopDeterminantTest, AFactorInAnEquationLoopMustNotBeZeroEither) {
  const std::string body =
      "  parameter Real p[3] = {1, 0, 2};\n"
      "  Real x[3];\n"
      "equation\n"
      "  for i in 1:3 loop\n"
      "    p[i]*x[i] = 0;\n"
      "  end for;\n";
  EXPECT_THAT(RunWith(body).summary.message,
              HasSubstr("loop {x[2]}: with p[2]"));
}

TEST(LoopDeterminantTest, ADeterminantThatRoundingMakesIsNone) {
  // 0.1 + 0.2 + 0.7 is 1, but not in binary.
  const std::string body =
      "  parameter Real a = 0.1, b = 0.2, c = 0.7;\n"
      "  Real x;\n"
      "equation\n"
      "  x = a*x + b*x + c*x + 1;\n";
  EXPECT_THAT(RunWith(body).summary.message,
              HasSubstr("with a = 0.1, b = 0.2, c = 0.7 its equations"));
  EXPECT_NEAR(RunWith(body, {{"c", 0.5}})["x"].final(), 5, 1e-14);
}

TEST(LoopDeterminantTest, ASmallDeterminantIsOneIfItsTermsAreSmall) {
  const RunResult run = RunWith(
      "  parameter Real p = 1e-200, q = 2e-200;\n"
      "  Real x, y;\n"
      "equation\n"
      "  p*x + q*y = 3e-200;\n"
      "  x - y = 0;\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), 1, 1e-15);
}

// The gain may have another value later: the run goes on.
TEST(LoopDeterminantTest, AGainThatComesToOneLeavesALoopFreeForAWhile) {
  const RunResult run = RunWith(
      "  Real k, x;\n"
      "equation\n"
      "  k = 1;\n"
      "  x = k*x;\n");
  EXPECT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run.summary.diagnostics[0].message,
            "from t = 0 s on, nothing determines x: of all solutions of the "
            "algebraic loop {x}, the one that changes them least is taken");
}

TEST(LoopDeterminantTest, ALoopOfTheStartIsTestedBeforeIt) {
  const std::string body =
      "  parameter Real p = 1;\n"
      "  Real x;\n"
      "initial equation\n"
      "  x = p*x;\n"
      "equation\n"
      "  der(x) = -x;\n";
  EXPECT_THAT(RunWith(body).summary.message,
              HasSubstr("cannot solve the algebraic loop {x}: with p = 1"));
  EXPECT_EQ(RunWith(body, {{"p", 2}})["x"].final(), 0);
}

TEST(LoopDeterminantTest, AllLoopsWithoutASolutionAreTold) {
  const RunResult run = RunWith(
      "  parameter Real p = 1, q = 1;\n"
      "  Real x, y;\n"
      "equation\n"
      "  x = p*x;\n"
      "  y = q*y + 1;\n");
  EXPECT_THAT(LinesOf(run), ElementsAre(5, 6));
  EXPECT_THAT(run.summary.message, HasSubstr("x = p*x (and 1 more)"));
}

TEST(LoopDeterminantTest, ALoopOfContinuousEquationsAndOfEventsIsToldOnce) {
  const RunResult run = RunWith(
      "  parameter Real p = 1, q = 1;\n"
      "  Real x, y;\n"
      "  discrete Real n(start = 0, fixed = true);\n"
      "equation\n"
      "  x = p*y;\n"
      "  y = q*x;\n"
      "  when time > 0.5 then\n"
      "    n = pre(n) + 1;\n"
      "  end when;\n");
  EXPECT_THAT(LinesOf(run), ElementsAre(6, 7));
}

TEST(LoopDeterminantTest, AParameterIsNotSetInARunToWhereALoopIsFree) {
  Simulator simulator(CompileBody("  parameter Real p = 2;\n"
                                  "  Real x, y;\n"
                                  "equation\n"
                                  "  x = 1 + y;\n"
                                  "  y = p*x;\n"),
                      {.stop = 1});
  ASSERT_TRUE(simulator.RunUntil(0.5));
  const std::vector<Setting> one = {{"p", 1}};
  EXPECT_THAT(
      MessageOf([&] { return simulator.Set(one); }),
      HasSubstr("cannot set 'p': cannot solve the algebraic loop {x, y}: with "
                "p = 1 its equations contradict each other or leave it free"));
  ASSERT_TRUE(simulator.RunUntil(1));
  EXPECT_EQ(simulator["x"], -1);
}

TEST(LoopDeterminantTest, ALoopOfTheStartDoesNotForbidASettingInARun) {
  Simulator simulator(CompileBody("  parameter Real p = 2;\n"
                                  "  Real x;\n"
                                  "initial equation\n"
                                  "  x = p*x - 1;\n"
                                  "equation\n"
                                  "  der(x) = 0*p;\n"),
                      {.stop = 1});
  ASSERT_TRUE(simulator.RunUntil(0.5));
  const std::vector<Setting> one = {{"p", 1}};
  EXPECT_TRUE(simulator.Set(one));
  ASSERT_TRUE(simulator.RunUntil(1));
  EXPECT_EQ(simulator["x"], 1);
}

TEST(LoopDeterminantTest, AnOperatingPointOfAFreeLoopIsRefused) {
  EXPECT_THAT(
      MessageOf([] { return OperatingPoint(CompileBody(kFree), 0, {}); }),
      HasSubstr("cannot solve the algebraic loop {x, y}: with p = 1"));
}

// No test where nothing can be wrong.
TEST(LoopDeterminantTest, OnlyLoopsWhoseGainsAreParametersAreTested) {
  EXPECT_EQ(CompileBody(kFree)->determinants.size(), 1);
  EXPECT_TRUE(CompileBody("  parameter Real m = 2;\n"
                          "  Real x, y, v;\n"
                          "equation\n"
                          "  x = 1 + 0.5*y;\n"
                          "  y = 3*x;\n"
                          "  m*v = time;\n")
                  ->determinants.empty());
}

// A test belongs to the start, not to the steps.
TEST(LoopDeterminantTest, TheTestIsInNoScheduleOfARun) {
  const auto program = CompileBody(kFree);
  for (const Schedule* schedule : {&program->initialization,
                                   &program->derivatives,
                                   &program->outputs,
                                   &program->events.schedule}) {
    for (const ScheduleStep& step : *schedule) {
      EXPECT_NE(step.index, program->determinant_section);
    }
  }
}

}  // namespace
}  // namespace orrery
