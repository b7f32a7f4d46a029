// States in constraints that events and tasks set.

#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/process/model/model.h"
#include "orrery/sim/operating_point.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/timeline/timeline.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using process::Task;
using ::testing::HasSubstr;

constexpr const char* kPendulum =
    "Real x(start = 0.6, fixed = true), y(start = -0.8);"
    "Real vx(start = 0, fixed = true), vy, pull;"
    "equation der(x) = vx; der(y) = vy;"
    "der(vx) = -pull*x; der(vy) = -pull*y - 9.81; x^2 + y^2 = 1;";

constexpr const char* kPendulumInSpace =
    "Real x(start = 0.6, fixed = true), y(start = 0), z(start = -0.8);"
    "Real vx(start = 0, fixed = true), vy(start = 0), vz, pull;"
    "equation der(x) = vx; der(y) = vy; der(z) = vz;"
    "der(vx) = -pull*x; der(vy) = -pull*y; der(vz) = -pull*z - 9.81;"
    "x^2 + y^2 + z^2 = 1;";

constexpr double kEvent = 0.1;  // s

// Runs `model` with an event at kEvent.
RunResult RunWith(const std::string& model, const std::string& resets) {
  SimulationOptions options{.stop = 0.2};
  options.tolerance = 1e-9;
  options.absolute_tolerance = 1e-11;
  return Simulate(
      CompileBody(model + "when time >= 0.1 then " + resets + "end when;"),
      options);
}

// Values just before the event and just after.
class Jump {
 public:
  explicit Jump(const RunResult& run) : run_(run) {
    const auto time = run.trajectory.time();
    while (time[row_ + 1] < kEvent) {
      ++row_;
    }
    ++row_;
    EXPECT_EQ(time[row_], kEvent);
    EXPECT_EQ(time[row_ + 1], kEvent);
  }

  [[nodiscard]] double Before(const std::string& name) const {
    return run_[name][row_];
  }

  [[nodiscard]] double After(const std::string& name) const {
    return run_[name][row_ + 1];
  }

 private:
  const RunResult& run_;
  std::size_t row_ = 0;
};

TEST(ConstraintSetTest, AnOperatingPointGoesWhereAnEventOfARunWould) {
  OperatingPoint point(
      CompileBody(std::string(kPendulum) +
                  "when x > 0.7 then reinit(x, 0.5); end when;"),
      0,
      {});
  const NameTable names(point.program());
  const auto at = [&](const char* name) {
    return ReferenceOf(point.program(), names.Get(name));
  };
  point.Set(at("x"), 0.8);
  point.Set(at("y"), -0.6);
  ASSERT_TRUE(point.HandleEvent()) << point.ExplainFailure().what();
  EXPECT_TRUE(point.has_changed());
  EXPECT_EQ(point.Value(at("x")), 0.5);
  EXPECT_NEAR(point.Value(at("y")), -std::sqrt(0.75), 1e-9);
  // At rest the rod pulls against the weight along it: pull = 9.81 |y|.
  EXPECT_NEAR(point.Value(at("pull")), 9.81 * std::sqrt(0.75), 1e-6);
}

TEST(ConstraintSetTest, AnOperatingPointThatCannotObeyItsConstraintSaysSo) {
  OperatingPoint point(
      CompileBody(std::string(kPendulum) +
                  "when x > 0.7 then reinit(x, 1.5); end when;"),
      0,
      {});
  const NameTable names(point.program());
  point.Set(ReferenceOf(point.program(), names.Get("x")), 0.8);
  EXPECT_FALSE(point.HandleEvent());
  EXPECT_THAT(point.ExplainFailure().what(), HasSubstr("x^2 + y^2 = 1"));
}

TEST(ConstraintSetTest, AVelocityThatIsSetToZeroStopsAPendulum) {
  const RunResult run = RunWith(kPendulum, "reinit(vx, 0);");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const Jump jump(run);
  EXPECT_EQ(jump.After("vx"), 0);
  EXPECT_NEAR(jump.After("vy"), 0, 1e-12);
  EXPECT_EQ(jump.After("x"), jump.Before("x"));
  EXPECT_EQ(jump.After("y"), jump.Before("y"));
}

TEST(ConstraintSetTest, APositionThatIsSetStaysOnItsSideWithTheNearestSpeed) {
  const RunResult run = RunWith(kPendulum, "reinit(x, 0.5);");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const Jump jump(run);
  const double y = -std::sqrt(0.75);
  const double speed = -jump.Before("vx") * y + jump.Before("vy") * 0.5;
  EXPECT_EQ(jump.After("x"), 0.5);
  EXPECT_NEAR(jump.After("y"), y, 1e-11);
  EXPECT_NEAR(jump.After("vx"), -speed * y, 1e-11);
  EXPECT_NEAR(jump.After("vy"), speed * 0.5, 1e-11);
}

TEST(ConstraintSetTest, APositionAndAVelocityMayBeSetAtOnce) {
  const RunResult run = RunWith(kPendulum, "reinit(x, 0.5); reinit(vx, 0.2);");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const Jump jump(run);
  EXPECT_EQ(jump.After("x"), 0.5);
  EXPECT_NEAR(jump.After("y"), -std::sqrt(0.75), 1e-11);
  EXPECT_EQ(jump.After("vx"), 0.2);
  EXPECT_NEAR(jump.After("vy"), 0.1 / std::sqrt(0.75), 1e-11);
}

TEST(ConstraintSetTest, ValuesThatObeyStayToTheBit) {
  const RunResult run = RunWith(kPendulum,
                                "reinit(x, -0.6); reinit(y, -0.8);"
                                "reinit(vx, 0.4); reinit(vy, -0.3);");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const Jump jump(run);
  EXPECT_EQ(jump.After("x"), -0.6);
  EXPECT_EQ(jump.After("y"), -0.8);
  EXPECT_EQ(jump.After("vx"), 0.4);
  EXPECT_EQ(jump.After("vy"), -0.3);
}

TEST(ConstraintSetTest, ValuesAsFarOffAsTheStatesWereStayToTheBit) {
  const RunResult run =
      Simulate(CompileBody(std::string(kPendulum) +
                           "when time >= 0.1 then reinit(vx, -vx);"
                           "reinit(vy, -vy); end when;"),
               {.stop = 0.2, .tolerance = 1e-4, .method = Method::kRosenbrock});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const Jump jump(run);
  EXPECT_EQ(jump.After("vx"), -jump.Before("vx"));
  EXPECT_EQ(jump.After("vy"), -jump.Before("vy"));
}

TEST(ConstraintSetTest, WhatFollowsInSpaceGoesToTheNearestPlace) {
  const RunResult run =
      RunWith(kPendulumInSpace, "reinit(x, 0.6); reinit(y, 0.48);");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const Jump jump(run);
  EXPECT_EQ(jump.After("x"), 0.6);
  EXPECT_EQ(jump.After("y"), 0.48);
  EXPECT_NEAR(jump.After("z"), -0.64, 1e-11);
  const double radial = 0.6 * jump.Before("vx") + 0.48 * jump.Before("vy") -
                        0.64 * jump.Before("vz");
  EXPECT_NEAR(jump.After("vx"), jump.Before("vx") - 0.6 * radial, 1e-11);
  EXPECT_NEAR(jump.After("vy"), jump.Before("vy") - 0.48 * radial, 1e-11);
  EXPECT_NEAR(jump.After("vz"), jump.Before("vz") + 0.64 * radial, 1e-11);
}

// vy is 0 before, too.
TEST(ConstraintSetTest, AValueThatIsSetToWhatItIsStays) {
  const RunResult run =
      RunWith(kPendulumInSpace,
              "reinit(x, 0.6); reinit(y, 0.48); reinit(vx, 1); reinit(vy, 0);");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const Jump jump(run);
  EXPECT_EQ(jump.After("vx"), 1);
  EXPECT_EQ(jump.After("vy"), 0);
  EXPECT_NEAR(jump.After("vz"), 0.6 / 0.64, 1e-11);
}

TEST(ConstraintSetTest, ABeadOnALineFollowsExactly) {
  const RunResult run = RunWith(
      "Real x(start = 1, fixed = true, stateSelect = StateSelect.prefer), y;"
      "Real vx(start = 1, fixed = true), vy, pull;"
      "equation der(x) = vx; der(y) = vy;"
      "der(vx) = 2*pull; der(vy) = -pull; y = 2*x;",
      "reinit(vx, -1);");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const Jump jump(run);
  EXPECT_EQ(jump.After("vx"), -1);
  EXPECT_EQ(jump.After("vy"), -2);
  EXPECT_EQ(jump.After("x"), jump.Before("x"));
}

TEST(ConstraintSetTest, ValuesThatContradictEndTheRun) {
  const RunResult run = RunWith(kPendulum, "reinit(x, 0.5); reinit(y, -0.5);");
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNoConvergence);
  EXPECT_THAT(run.summary.message,
              HasSubstr("no states near those to which x, y were set at t = "
                        "0.1 s obey x^2 + y^2 = 1"));
}

TEST(ConstraintSetTest, AValueThatNothingCanFollowEndsTheRun) {
  const RunResult run = RunWith(kPendulum, "reinit(x, 1.2);");
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNoConvergence);
  EXPECT_THAT(run.summary.message,
              HasSubstr("to which x was set at t = 0.1 s"));
}

struct Hand : process::Model {
  double y = 0;

  Task<> Moves(SystemVariable x, SystemVariable beside) {
    co_await Delay(100ms);
    x.Set(0.5);
    co_await Delay(1us);
    y = beside.Get();
  }
};

TEST(ConstraintSetTest, WhatATaskSetsStays) {
  Simulation sim;
  System& pendulum = sim.Add(CompileBody(kPendulum));
  Hand& hand = sim.Add<Hand>("hand");
  sim.Start(hand.Moves(pendulum["x"], pendulum["y"]));
  ASSERT_TRUE(sim.Run({.stop = 0.2}).summary.completed());
  EXPECT_NEAR(hand.y, -std::sqrt(0.75), 1e-6);
}

}  // namespace
}  // namespace orrery
