// Algebraic loops of roots, whose slope is infinite at zero.
#include <cstddef>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::HasSubstr;

// Three volumes in a row, with two equal orifices between neighbours and one to
// a source. At equal pressures there is no flow, and no finite slope.
RunResult RunVolumes(Method method) {
  return Simulate(
      CompileBody("  Real p1(start = 0.5, fixed = true);\n"
                  "  Real p2(start = 0.7, fixed = true);\n"
                  "  Real p3(start = 0.9, fixed = true);\n"
                  "  Real a(start = 0.8), b(start = 0.8), q1, q2, q3, d;\n"
                  "equation\n"
                  "  d = 1 + 0.5*sin(2*time) - p1;\n"
                  "  q1 = sign(d)*sqrt(abs(d));\n"
                  "  q2 = sign(p1 - a)*sqrt(abs(p1 - a));\n"
                  "  q2 = sign(a - p2)*sqrt(abs(a - p2));\n"
                  "  q3 = sign(p2 - b)*sqrt(abs(p2 - b));\n"
                  "  q3 = sign(b - p3)*sqrt(abs(b - p3));\n"
                  "  der(p1) = q1 - q2;\n"
                  "  der(p2) = q2 - q3;\n"
                  "  der(p3) = q3;\n"),
      {.stop = 10, .method = method});
}

TEST(RootLoopTest, ALoopOfRootsGoesOnWhereTheyAreZero) {
  for (const Method method : {Method::kDormandPrince5, Method::kCvodeBdf}) {
    const RunResult run = RunVolumes(method);
    ASSERT_EQ(run.summary.message, "");
    bool has_turned = false;
    for (std::size_t i = 0; i < run.trajectory.rows(); ++i) {
      EXPECT_NEAR(run["a"][i], (run["p1"][i] + run["p2"][i]) / 2, 1e-9);
      has_turned = has_turned || run["q2"][i] * run["q2"][0] < 0;
    }
    EXPECT_TRUE(has_turned);
  }
}

// The other methods agree on these digits, at tolerances from 1e-6 to 1e-9.
TEST(RootLoopTest, RootsAreSolvedWithTheStatesByIda) {
  const RunResult run = RunVolumes(Method::kIda);
  ASSERT_EQ(run.summary.message, "");
  EXPECT_NEAR(run["p1"].final(), 1.082962, 2e-6);
  EXPECT_NEAR(run["p3"].final(), 0.932096, 2e-6);
  EXPECT_NEAR(run["a"].final(), 1.018377, 2e-6);
}

// One volume is fed through a node of three orifices.
RunResult RunNode(const SimulationOptions& options) {
  return Simulate(
      CompileBody("  Real p1(start = 0.5, fixed = true);\n"
                  "  Real p2(start = 0.7, fixed = true);\n"
                  "  Real p3(start = 0.9, fixed = true);\n"
                  "  Real a(start = 0.8), b(start = 0.8), q1, q2, q3, q4, s;\n"
                  "equation\n"
                  "  s = 1.2 + 0.5*sin(2*time);\n"
                  "  q1 = sign(s - a)*sqrt(abs(s - a));\n"
                  "  q2 = sign(a - p1)*sqrt(abs(a - p1));\n"
                  "  q3 = sign(a - p2)*sqrt(abs(a - p2));\n"
                  "  q4 = sign(p2 - b)*sqrt(abs(p2 - b));\n"
                  "  q4 = sign(b - p3)*sqrt(abs(b - p3));\n"
                  "  q1 = q2 + q3;\n"
                  "  0.1*der(p1) = q2;\n"
                  "  0.1*der(p2) = q3 - q4;\n"
                  "  0.1*der(p3) = q4;\n"),
      options);
}

// IDA solves loops with the states, each to its tolerance. A root of a rounded
// number is not known to that tolerance.
TEST(RootLoopTest, WhereAnImplicitStepMeetsARootAtZeroAHintTellsWhatToDo) {
  const RunResult run =
      RunNode({.stop = 10, .tolerance = 1e-8, .method = Method::kIda});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNoConvergence);
  EXPECT_THAT(run.summary.diagnostics.at(0).hint,
              HasSubstr("give it a finite slope near that place"));
}

// Loops may fail or not, in the search for kinks and in events.
TEST(RootLoopTest, KinksOfRootsThatRoundingDecidesDoNotHoldTheRunUp) {
  const RunResult run = RunNode({.stop = 0.05});
  ASSERT_EQ(run.summary.message, "");
  EXPECT_NEAR(
      run["b"].final(), (run["p2"].final() + run["p3"].final()) / 2, 1e-9);
}

}  // namespace
}  // namespace orrery
