#include "orrery/sim/motion/sliding.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using std::numbers::pi;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

RunResult Slide(const std::string& body, SimulationOptions options) {
  options.sliding = true;
  RunResult run = Simulate(CompileBody(body), options);
  EXPECT_TRUE(run.summary.completed()) << run.summary.message;
  return run;
}

// The value in the last row at `t`: its right limit.
double At(const RunResult& run, const std::string& name, double t) {
  const auto times = run.trajectory.time();
  const auto after = std::ranges::upper_bound(times, t);
  const auto row = static_cast<std::size_t>(after - times.begin()) - 1;
  EXPECT_EQ(times[row], t) << "no row of " << name;
  return run[name][row];
}

std::vector<double> EventTimes(const RunResult& run) {
  std::vector<double> times;
  for (const EventLog::Entry& entry : run.events.entries()) {
    times.push_back(entry.t);
  }
  return times;
}

constexpr const char* kTwoFields = R"(
  Real x(start = 1.5, fixed = true);
  Real y(start = 1, fixed = true);
equation
  der(x) = if x > y then -2 else 2;
  der(y) = if y > x then -3 else 1.5;
)";

// A mass on a spring, drawn along by a belt of speed 1 with friction of 2.
constexpr const char* kBelt = R"(
  Real x(start = 0, fixed = true);
  Real v(start = 0, fixed = true);
  Real f;
equation
  der(x) = v;
  der(v) = f - x;
  f = if v < 1 then 2 else -2;
)";

const double kSticks = pi / 6;
const double kSlips = pi / 6 + std::numbers::sqrt3;

struct MethodCase {
  Method method;
  std::optional<Seconds> step;
};

class SlidingMethodTest : public testing::TestWithParam<MethodCase> {};

// Issue 12190 of OpenModelica. Closed form: x - y = 0 at t = 1/7, then
// lambda = 9/17 or 8/17 by Filippov's rule, so dx = dy = -6/17.
TEST_P(SlidingMethodTest, TwoFieldsThatPushAgainstEachOtherAddUp) {
  const RunResult run =
      Slide(kTwoFields, {.method = GetParam().method, .step = GetParam().step});
  EXPECT_THAT(
      EventTimes(run),
      ElementsAre(DoubleNear(1.0 / 7, 1e-14), DoubleNear(1.0 / 7, 1e-14)));
  EXPECT_NEAR(run["x"].final(), 31.0 / 34, 1e-9);
  EXPECT_NEAR(run["y"].final(), 31.0 / 34, 1e-9);
  EXPECT_NEAR(run["der(x)"].final(), -6.0 / 17, 1e-12);
  EXPECT_NEAR(run["der(y)"].final(), -6.0 / 17, 1e-12);
}

TEST_P(SlidingMethodTest, AMassSticksToABeltUntilTheSpringDrawsHarder) {
  SimulationOptions options = {.stop = 4,
                               .method = GetParam().method,
                               .step = GetParam().step,
                               .output_times = {1.5}};
  if (!options.step) {
    options.tolerance = 1e-10;
    options.absolute_tolerance = 1e-12;
  }
  const RunResult run = Slide(kBelt, options);
  const double x = 2 - std::numbers::sqrt3 + 1.5 - kSticks;
  EXPECT_NEAR(At(run, "v", 1.5), 1, 1e-8);
  EXPECT_NEAR(At(run, "x", 1.5), x, 1e-8);
  EXPECT_NEAR(At(run, "f", 1.5), x, 1e-8);
  EXPECT_NEAR(run["x"].final(), 2 + std::sin(4 - kSlips), 1e-7);
  EXPECT_NEAR(run["v"].final(), std::cos(4 - kSlips), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(
    Methods,
    SlidingMethodTest,
    testing::Values(MethodCase{Method::kAuto, {}},
                    MethodCase{Method::kDormandPrince5, {}},
                    MethodCase{Method::kDormandPrince8, {}},
                    MethodCase{Method::kRosenbrock, {}},
                    MethodCase{Method::kCvodeBdf, {}},
                    MethodCase{Method::kIda, {}},
                    MethodCase{Method::kRungeKutta4, 0.01}),
    [](const testing::TestParamInfo<MethodCase>& tested) {
      std::string name(NameOf(tested.param.method).name);
      std::erase(name, '-');
      return name;
    });

TEST(SlidingTest, AFixedStepKeepsItsGridWhileItSlides) {
  const RunResult run =
      Slide(kTwoFields, {.method = Method::kRungeKutta4, .step = 0.25});
  const auto times = run.trajectory.time();
  EXPECT_EQ(std::ranges::count(times, 0.5), 1);
  EXPECT_EQ(std::ranges::count(times, 0.75), 1);
}

TEST(SlidingTest, TheMotionBeginsWhereItsLimitsAreRecorded) {
  const RunResult run = Slide(kBelt, {.stop = 1, .tolerance = 1e-10});
  const auto times = run.trajectory.time();
  const auto begin = EventTimes(run).front();
  EXPECT_NEAR(begin, kSticks, 1e-9);
  const auto row = static_cast<std::size_t>(
      std::ranges::lower_bound(times, begin) - times.begin());
  EXPECT_EQ(run["f"][row], 2);
  EXPECT_NEAR(run["f"][row + 1], 2 - std::numbers::sqrt3, 1e-9);
}

// u = 1 or -1 makes y follow r = 2 sin(t) while |r'| < 1, once they have met.
TEST(SlidingTest, ARelayFollowsWhatItCanAndLetsGoOfWhatItCannot) {
  const RunResult run = Slide(R"(
  Real y(start = 0.7, fixed = true);
  Real u;
equation
  der(y) = u;
  u = if y < 2*sin(time) then 1 else -1;
)",
                              {.stop = 2.5,
                               .tolerance = 1e-10,
                               .absolute_tolerance = 1e-12,
                               .output_times = {1.8, 2.0}});
  EXPECT_NEAR(At(run, "y", 1.8), 2 * std::sin(1.8), 1e-9);
  EXPECT_NEAR(At(run, "u", 1.8), 2 * std::cos(1.8), 1e-9);
  EXPECT_NEAR(At(run, "u", 2.0), 2 * std::cos(2.0), 1e-9);
  EXPECT_EQ(run["u"].final(), -1);
  EXPECT_NEAR(run["y"].final(), std::numbers::sqrt3 - (2.5 - 2 * pi / 3), 1e-9);
}

TEST(SlidingTest, AnInputIsFollowedThroughItsKinksAndJumps) {
  const auto table = std::make_shared<const Table>(
      "in.csv",
      std::vector<TableColumn>{{"time", "", {0, 2, 4, 4, 6}},
                               {"r", "", {0.5, 1, 0.5, 1.5, 1.5}}});
  const RunResult run =
      Slide(R"(
  input Real r;
  Real y(start = 0, fixed = true);
  Real u;
equation
  der(y) = u;
  u = if y < r then 1 else -1;
)",
            {.stop = 6, .output_times = {1, 3, 4.5, 5.5}, .inputs = table});
  EXPECT_NEAR(At(run, "u", 1), 0.25, 1e-12);
  EXPECT_NEAR(At(run, "u", 3), -0.25, 1e-12);
  EXPECT_NEAR(At(run, "u", 4.5), 1, 1e-12);
  EXPECT_NEAR(At(run, "y", 4.5), 1, 1e-9);
  EXPECT_NEAR(At(run, "u", 5.5), 0, 1e-12);
  EXPECT_NEAR(run["y"].final(), 1.5, 1e-9);
}

// r' = r within the unit circle and -r beyond it, turning at 1 rad/s.
constexpr const char* kCircle = R"(
  Real x(start = 2, fixed = true);
  Real y(start = 0, fixed = true);
  Real u;
equation
  der(x) = u*x - y;
  der(y) = u*y + x;
  u = if x^2 + y^2 < 1 then 1 else -1;
)";

TEST(SlidingTest, AMotionStaysOnACurvedSurface) {
  const RunResult run = Slide(kCircle, {.stop = 60});
  for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
    const double t = run.trajectory.time()[row];
    if (t > std::numbers::ln2 + 1e-5) {
      EXPECT_NEAR(std::hypot(run["x"][row], run["y"][row]), 1, 3e-6);
      EXPECT_NEAR(run["u"][row], 0, 3e-6);
    }
  }
  EXPECT_NEAR(run["x"].final(), std::cos(60), 1e-4);
}

TEST(SlidingTest, TicksAndOtherRelationsAreSeenOnTheWay) {
  const RunResult run = Slide(R"(
  Real x(start = 1.5, fixed = true);
  Real y(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
  discrete Real hit(start = 0, fixed = true);
equation
  der(x) = if x > y then -2 else 2;
  der(y) = if y > x then -3 else 1.5;
  when sample(0.05, 0.1) then
    n = pre(n) + 1;
  end when;
  when x < 1 then
    hit = time;
  end when;
)",
                              {});
  EXPECT_EQ(run["n"].final(), 10);
  EXPECT_NEAR(run["hit"].final(), 1.0 / 7 + 3.0 / 14 * 17 / 6, 1e-12);
  EXPECT_NEAR(run["x"].final(), 31.0 / 34, 1e-9);
}

TEST(SlidingTest, AnEventThatTurnsAFieldEndsTheMotion) {
  const RunResult run = Slide(R"(
  Real y(start = 0.5, fixed = true);
equation
  der(y) = if y > 0 then (if time < 1 then -1 else 2) else 1;
)",
                              {.stop = 2});
  EXPECT_NEAR(run["y"].final(), 2, 1e-9);
}

TEST(SlidingTest, WhatOnlyCrossesGoesOnAsEver) {
  const auto program = CompileBody(R"(
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = if h < 0.5 then -9 else -10;
  when h <= 0 then
    reinit(v, -0.8*pre(v));
  end when;
)");
  const RunResult plain = Simulate(program, {.stop = 2});
  const RunResult run = Simulate(program, {.stop = 2, .sliding = true});
  EXPECT_EQ(run["h"].final(), plain["h"].final());
  EXPECT_EQ(EventTimes(run), EventTimes(plain));
}

// A triangle of period 2. der(y) is an alias of the discrete u, so that the
// integration has to begin anew when u changes.
TEST(SlidingTest, ARelayWithHysteresisDoesNotSlide) {
  const RunResult run = Slide(R"(
  Real y(start = 1, fixed = true);
  discrete Real u(start = -1, fixed = true);
equation
  der(y) = u;
  when y <= 0 then
    u = 1;
  elsewhen y >= 1 then
    u = -1;
  end when;
)",
                              {.stop = 3.5});
  EXPECT_THAT(
      EventTimes(run),
      ElementsAre(
          DoubleNear(1, 1e-12), DoubleNear(2, 1e-12), DoubleNear(3, 1e-12)));
  EXPECT_NEAR(run["y"].final(), 0.5, 1e-12);
}

TEST(SlidingTest, ARelayThatWhenClausesThrowSlides) {
  const RunResult run = Slide(R"(
  Real y(start = 1, fixed = true);
  discrete Real u(start = -1, fixed = true);
equation
  der(y) = u + 0.5;
  when y < 0 then
    u = 1;
  elsewhen y > 0 then
    u = -2;
  end when;
)",
                              {.stop = 5});
  EXPECT_NEAR(EventTimes(run).front(), 2, 1e-12);
  EXPECT_NEAR(run["y"].final(), 0, 1e-12);
  EXPECT_NEAR(run["der(y)"].final(), 0, 1e-12);
}

// The solutions of the loop are found from one another.
TEST(SlidingTest, ALoopThatEachSideSolvesOtherwiseSlides) {
  const RunResult run = Slide(R"(
  Real v(start = 1, fixed = true);
  Real z(start = -1);
equation
  z + z^3 = if v > 0 then -2 else 10;
  der(v) = z;
)",
                              {.stop = 3});
  EXPECT_NEAR(EventTimes(run).front(), 1, 1e-9);
  EXPECT_NEAR(run["v"].final(), 0, 1e-9);
  EXPECT_NEAR(run["z"].final(), 0, 1e-9);
}

// Runs that end --------------------------------------------------------------

// A run that slides, but must not.
RunResult Stuck(const std::string& body) {
  RunResult run = Simulate(CompileBody(body), {.stop = 3, .sliding = true});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_THAT(run.summary.message, HasSubstr("two switching surfaces"));
  return run;
}

TEST(SlidingTest, ARunThatIsNotToSlideSaysThatItWould) {
  const RunResult run = Simulate(CompileBody(kTwoFields), {});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_NEAR(run.summary.end_time, 1.0 / 7, 1e-12);
  EXPECT_LT(run.summary.events, 12);
  EXPECT_EQ(run.summary.message,
            "cannot go on at t = 0.142857143 s: the model chatters: its "
            "equations push back from both sides to where a relation changes; "
            "what changes is 'y < x', 'x < y'");
  EXPECT_THAT(run.summary.diagnostics[0].hint, HasSubstr("--sliding"));
}

// Times near 0 are nearer to each other than any part of them.
TEST(SlidingTest, ChatteringFromTheStartOnIsTold) {
  const RunResult run = Simulate(CompileBody(R"(
  Real v(start = 1, fixed = true);
equation
  der(v) = if v < 1 then 2 + time else -2;
)"),
                                 {.max_steps = 1000});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_THAT(run.summary.message, HasSubstr("push back from both sides"));
  EXPECT_LT(run.summary.end_time, 1e-14);
}

TEST(SlidingTest, TwoSurfacesAtOnceAreRefused) {
  const RunResult run = Stuck(R"(
  Real x(start = 1, fixed = true);
  Real y(start = 3, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  der(y) = if y > 0 then -2 else 2;
)");
  EXPECT_EQ(run.summary.message,
            "cannot go on at t = 1.5 s: the motion would have to slide along "
            "two switching surfaces at once, where it is not determined; what "
            "changes is 'x > 0', 'y > 0'");
}

TEST(SlidingTest, TwoSurfacesMetAtOneTimeAreRefused) {
  const RunResult run = Stuck(R"(
  Real x(start = 1, fixed = true);
  Real y(start = 2, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  der(y) = if y > 0 then -2 else 3;
)");
  EXPECT_NEAR(run.summary.end_time, 1, 1e-9);
}

// They meet zero together and stay there until a force acts on one of them.
TEST(SlidingTest, TwoSurfacesThatPartAreRefused) {
  const RunResult run = Stuck(R"(
  Real v(start = 1, fixed = true);
  Real w(start = 1, fixed = true);
equation
  der(v) = if v > 0 then -1 else 1;
  der(w) = (if w > 0 then -1 else 1) + (if time < 2 then 0 else 0.5);
)");
  EXPECT_NEAR(run.summary.end_time, 2, 1e-9);
  EXPECT_NEAR(run["w"].final(), 0, 1e-9);
}

TEST(SlidingTest, ASimulatorThatIsStoppedOnTheWayGoesOnAsOneThatIsNot) {
  const auto program = CompileBody(kBelt);
  const SimulationOptions options = {.stop = 4,
                                     .tolerance = 1e-10,
                                     .absolute_tolerance = 1e-12,
                                     .sliding = true};
  Simulator simulator(program, options);
  for (int i = 1; i <= 40; ++i) {
    ASSERT_TRUE(simulator.RunUntil(0.1 * i));
    const double t = simulator.t();
    const double x = t < kSticks  ? 2 - 2 * std::cos(t)
                     : t < kSlips ? 2 - std::numbers::sqrt3 + t - kSticks
                                  : 2 + std::sin(t - kSlips);
    EXPECT_NEAR(simulator["x"], x, 1e-8) << t;
    EXPECT_NEAR(simulator["f"], t < kSticks || t > kSlips ? 2 : x, 1e-8) << t;
  }
}

// x - y falls at a + c, then rises at b + d; Filippov's rule in closed form.
RC_GTEST_PROP(SlidingTest, AnyTwoOpposedConstantFieldsSlide, ()) {
  const auto rate = [] {
    return 0.1 * *rc::gen::inRange(1, 100);
  };
  const double a = rate();
  const double b = rate();
  const double c = rate();
  const double d = rate();
  const RunResult run = Simulate(
      CompileBody(
          "Real x(start = 1, fixed = true); Real y(start = 0, fixed = true);"
          "equation der(x) = if x > y then -" +
          std::to_string(a) + " else " + std::to_string(b) +
          "; der(y) = if y > x then -" + std::to_string(d) + " else " +
          std::to_string(c) + ";"),
      {.stop = 10, .sliding = true});
  RC_ASSERT(run.summary.completed());
  const double begin = 1 / (a + c);
  const double weight = (b + d) / (a + b + c + d);
  const double slope = -a * weight + b * (1 - weight);
  const double expected = 1 - a * begin + slope * (10 - begin);
  RC_ASSERT(std::abs(run["x"].final() - expected) <
            1e-8 * (1 + std::abs(expected)));
}

}  // namespace
}  // namespace orrery
