// Followed signals: rows represent all of their course.

#include "orrery/sim/record/output_refinement.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/sim/test/test_model.h"

namespace orrery {
namespace {

// x = sin(t).
void AddCircle(TestModel& model) {
  const Expr x = model.State("x", 0);
  const Expr v = model.State("v", 1);
  model.Equate(model.Der(x), v);
  model.Equate(model.Der(v), -x);
}

SimulationOptions Tight(double stop) {
  return {.stop = stop, .tolerance = 1e-10, .absolute_tolerance = 1e-12};
}

TEST(OutputRefinementTest,
     WhatIsFollowedIsToldByTheRowsHoweverFarApartTheseAre) {
  TestModel model("FastAndSlow");
  AddCircle(model);
  const Expr fast = model.Unknown("fast");
  model.Equate(fast, sin(20 * model.Time()));
  SimulationOptions options = Tight(10);
  options.interval = 2.5;
  options.follow = {"x", "fast"};
  const RunResult run = Simulate(model.Compiled(), options);
  for (int i = 0; i <= 1000; ++i) {
    const double t = 0.01 * i;
    EXPECT_NEAR(run["x"].at(t), std::sin(t), 1e-8);
    EXPECT_NEAR(run["fast"].at(t), std::sin(20 * t), 1e-8);
  }
}

TEST(OutputRefinementTest, WhatIsFollowedHasItsSlopesOnBothSidesOfAnEvent) {
  const auto program = CompileBody(
      "  Real x(start = 0, fixed = true);\n"
      "  Real y = if time < 1 then sin(20*time) else x + cos(30*time);\n"
      "equation\n"
      "  der(x) = 1;\n");
  const RunResult run = Simulate(
      program, {.stop = 2, .tolerance = 1e-8, .interval = 1, .follow = {"y"}});
  for (int i = 0; i < 1000; ++i) {
    const double t = 0.002 * i + 0.001;
    const double y = t < 1 ? std::sin(20 * t) : t + std::cos(30 * t);
    EXPECT_NEAR(run["y"].at(t), y, 5e-7) << t;
  }
}

TEST(OutputRefinementTest, AKinkThatATimeMakesIsOneBetweenRowsToo) {
  const auto program = CompileBody(
      "  Real x(start = 0, fixed = true);\n"
      "  Real ref = if time < 2.03 then 0 else 10*(time - 2.03);\n"
      "equation\n"
      "  der(x) = ref - x;\n");
  const RunResult run = Simulate(program, {.stop = 100, .follow = {"ref"}});
  for (int i = 0; i < 1000; ++i) {
    const double t = 0.003 * i;
    EXPECT_NEAR(run["ref"].at(t), std::max(0.0, 10 * (t - 2.03)), 1e-9) << t;
  }
}

TEST(OutputRefinementTest, WhatJumpsWithoutAnEventStaysBetweenItsValues) {
  const auto program = CompileBody(
      "  Real x(start = 0, fixed = true);\n"
      "  Real d = noEvent(if time < 0.37 then 1.0 else -1.0);\n"
      "equation\n"
      "  der(x) = d;\n");
  for (const Method method : {Method::kAuto,
                              Method::kDormandPrince5,
                              Method::kDormandPrince8,
                              Method::kRosenbrock}) {
    const RunResult run =
        Simulate(program, {.stop = 1, .method = method, .follow = {"d"}});
    for (int i = 0; i <= 100'000; ++i) {
      ASSERT_LE(std::abs(run["d"].at(1e-5 * i)), 1 + 1e-12) << i;
    }
  }
}

TEST(OutputRefinementTest, HowWhatIsFollowedMovesIsToldBetweenRowsToo) {
  const auto program = CompileBody(
      "  parameter Real w = 20;\n"
      "  Real x(start = 0, fixed = true);\n"
      "  Real y = x*sin(w*time);\n"
      "equation\n"
      "  der(x) = 1;\n");
  SimulationOptions options = Tight(2);
  options.interval = 1;
  options.sensitivities = {"w"};
  options.follow = {"y"};
  const RunResult run = Simulate(program, options);
  for (int i = 0; i < 200; ++i) {
    const double t = 0.01 * i;
    EXPECT_NEAR(run["d(y)/d(w)"].at(t), t * t * std::cos(20 * t), 1e-6) << t;
  }
}

TEST(OutputRefinementTest, WhatKeepsStepWithTheRowsIsFollowedToo) {
  TestModel model("Mains");
  const Expr voltage = model.Unknown("voltage");
  model.Equate(voltage, sin(2 * std::numbers::pi * model.Time()));
  const RunResult run =
      Simulate(model.Compiled(), {.stop = 4, .interval = 1, .follow = {"*"}});
  EXPECT_NEAR(run["voltage"].at(2.25), 1, 3e-6);
}

TEST(OutputRefinementTest, FollowingChangesNothingButTheRows) {
  TestModel model("Circle");
  AddCircle(model);
  const auto program = model.Compiled();
  const RunResult plain = Simulate(program, {.stop = 10});
  const RunResult followed = Simulate(program, {.stop = 10, .follow = {"*"}});
  EXPECT_EQ(plain.summary.steps, followed.summary.steps);
  EXPECT_EQ(plain["x"].final(), followed["x"].final());
  EXPECT_EQ(plain["v"].final(), followed["v"].final());
}

}  // namespace
}  // namespace orrery
