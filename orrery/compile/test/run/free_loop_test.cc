// Linear loops with a singular matrix: if they have solutions, the one nearest
// to the last is taken.

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

// x and y are -1 and 3 while m is not 0; then any x + y = 2 is a solution if
// `rest` is 2.
std::string LoopOf(const std::string& m, const std::string& rest) {
  return "  parameter Real rest = " + rest + ";\n" + "  Real m = " + m + ";\n" +
         R"(
  Real x(start = 0.5), y, s(start = 0, fixed = true);
equation
  x + y = 2;
  x + (1 - m)*y = rest - 3*m;
  der(s) = y - s;
)";
}

TEST(FreeLoopTest, WhatNothingDeterminesKeepsItsValue) {
  const RunResult run = Simulate(
      CompileBody(LoopOf("if time < 0.5 then 1 else 0", "2")), {.stop = 1});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), -1, 1e-14);
  EXPECT_NEAR(run["y"].final(), 3, 1e-14);
  EXPECT_THAT(
      run.summary.diagnostics,
      ElementsAre(Field(
          &Diagnostic::message,
          "from t = 0.5 s on, nothing determines x: of all solutions of the "
          "algebraic loop {x, y}, the one that changes them least is taken")));
}

TEST(FreeLoopTest, AtTheStartItIsNearTheStartValue) {
  for (const Method method : {Method::kDormandPrince5,
                              Method::kRosenbrock,
                              Method::kCvodeBdf,
                              Method::kIda}) {
    const RunResult run =
        Simulate(CompileBody(LoopOf("if time < 0.5 then 0 else 1", "2")),
                 {.stop = 1, .tolerance = 1e-9, .method = method});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    EXPECT_NEAR(run["x"].at(0.25), 0.5, 1e-14) << NameOf(method).name;
    const double decay = std::exp(-0.5);
    EXPECT_NEAR(run["s"].final(), 3 + (1.5 * (1 - decay) - 3) * decay, 1e-7)
        << NameOf(method).name;
  }
}

TEST(FreeLoopTest, EquationsThatContradictEachOtherAreAnError) {
  const RunResult run = Simulate(
      CompileBody(LoopOf("if time < 0.5 then 1 else 0", "2.25")), {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_THAT(run.summary.message,
              HasSubstr("at t = 0.5 s: its equations do not determine its "
                        "unknowns (the matrix is singular)"));
}

// Singular in usual sizes, but not on a closer look.
TEST(FreeLoopTest, WhatHardlyMovesTheEquationsIsDetermined) {
  const RunResult run = Simulate(CompileBody(R"(
  Real m = if time < 0.5 then 1 else 1e-17;
  Real a, b, c;
equation
  a + b + m*c = 4*m;
  a - b = 0;
  a + b - m*c = -2*m;
)"),
                                 {.stop = 1});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["a"].at(0.25), 0.5, 1e-14);
  EXPECT_NEAR(run["c"].final(), 3, 1e-14);
}

}  // namespace
}  // namespace orrery
