#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/process/cells.h"
#include "orrery/results/csv.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/timeline/timeline.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using process::Task;
using testing::ElementsAre;

constexpr double kRounding = 1e-14;

// From tables -----------------------------------------------------------------

RunResult RunWith(const std::string& body, std::vector<TableColumn> columns) {
  return Simulate(
      CompileBody("Real x(start = 0, fixed = true);\n" + body),
      {.stop = 4,
       .interval = 4,
       .inputs = std::make_shared<const Table>("in.csv", std::move(columns))});
}

TEST(DelayedInputsTest, KinksOfATableArriveAtTheirExactTimes) {
  const RunResult run = RunWith(
      "input Real u(start = 0);\n"
      "equation\n der(x) = delay(u, 0.75);\n",
      {{"time", "", {0, 1, 2, 3, 4}}, {"u", "", {0, 1, 0, 5, 5}}});
  EXPECT_NEAR(run["x"].final(), 1 + 2.5 + 5 * 0.25, kRounding);
}

TEST(DelayedInputsTest, KinksOfATableArriveByAFormula) {
  const RunResult run = RunWith(
      "input Real u(start = 0);\n Real v, w;\n"
      "equation\n v = 2*u + 1;\n w = delay(v, 0.75);\n der(x) = 3*w;\n",
      {{"time", "", {0, 1, 2, 4}}, {"u", "", {0, 1, 0, 0}}});
  EXPECT_NEAR(run["x"].final(), 3 * (2 + 4), 10 * kRounding);
}

TEST(DelayedInputsTest, AnIntegerArrivesAtItsExactTime) {
  const RunResult run = RunWith(
      "input Integer u(start = 0);\n Integer w;\n"
      "equation\n w = delay(u, 0.75);\n der(x) = w;\n",
      {{"time", "", {0, 1, 2}}, {"u", "", {0, 3, 1}}});
  EXPECT_NEAR(run["x"].final(), 3 * 1 + 1 * 1.25, kRounding);
}

TEST(DelayedInputsTest, BothLimitsOfTheArrivalAreRecorded) {
  const RunResult run = RunWith(
      "input Real u(start = 0);\n Real w;\n"
      "equation\n w = delay(u, 0.75);\n der(x) = w;\n",
      {{"time", "", {0, 1, 1, 4}}, {"u", "", {0, 0, 1, 1}}});
  std::vector<double> arrival;
  for (std::size_t row = 0; row < run.trajectory.time().size(); ++row) {
    if (run.trajectory.time()[row] == 1.75) {
      arrival.push_back(run["w"][row]);
    }
  }
  EXPECT_THAT(arrival, ElementsAre(0, 1));
}

TEST(DelayedInputsTest, ABooleanSwitchesEquations) {
  const RunResult run = RunWith(
      "input Boolean on(start = false);\n"
      "equation\n der(x) = if delay(on, 0.5) then 1 else 0;\n",
      {{"time", "", {0, 1, 2}}, {"on", "", {0, 1, 0}}});
  EXPECT_NEAR(run["x"].final(), 1, kRounding);
}

TEST(DelayedInputsTest, AFormulaOfAnInputJumpsWithIt) {
  const RunResult run = RunWith(
      "input Integer u(start = 0);\n"
      "equation\n der(x) = delay(2 * u + time, 0.75) - time;\n",
      {{"time", "", {0, 1}}, {"u", "", {0, 1}}});
  // The delayed time was 0 until 0.75.
  EXPECT_NEAR(run["x"].final(), 2 * 2.25 + 3.25 * 3.25 / 2 - 8, 10 * kRounding);
}

TEST(DelayedInputsTest, ADelayTimeMayJump) {
  const RunResult run = RunWith(
      "input Real tau(start = 1);\n Real y;\n"
      "equation\n y = delay(time, tau, 2);\n der(x) = y;\n",
      {{"time", "", {0, 2, 2, 4}}, {"tau", "", {1, 1, 0.5, 0.5}}});
  EXPECT_NEAR(run["x"].final(), 0.5 + (3.5 * 3.5 - 1.5 * 1.5) / 2, 1e-12);
}

// From outside ----------------------------------------------------------------

struct Tasks : process::Model {};

// Sets `name` to 1 at 1 s and to 0 `length` later.
TimelineResult RunPulse(const std::string& body,
                        const std::string& name,
                        Duration length) {
  Simulation sim;
  System& system =
      sim.Add(CompileBody("Real x(start = 0, fixed = true);\n" + body));
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto pulse = [&](SystemVariable of) -> Task<> {
    co_await tasks.Delay(1s);
    of.Set(1);
    co_await tasks.Delay(length);
    of.Set(0);
  };
  sim.Start(pulse(system[name]));
  return sim.Run({.stop = 4s});
}

TEST(DelayedInputsTest, AnIntegerSetByATaskComesAndGoes) {
  const TimelineResult run = RunPulse(
      "input Integer u(start = 0);\n Integer w;\n"
      "equation\n w = delay(u, 0.75);\n der(x) = w;\n",
      "u",
      1s);
  EXPECT_NEAR(run["x"].at(4.0), 1, kRounding);
  EXPECT_EQ(run["w"].at(3.0), 0);
}

TEST(DelayedInputsTest, APulseArrivesHoweverShort) {
  const TimelineResult run = RunPulse(
      "input Real u(start = 0);\n Integer n(start = 0, fixed = true);\n"
      "equation\n der(x) = delay(u, 0.75);\n"
      "when delay(u, 0.5) > 0.5 then\n n = pre(n) + 1;\n end when;\n",
      "u",
      1us);
  EXPECT_NEAR(run["x"].at(4.0), 1e-6, kRounding);
  EXPECT_EQ(run["n"].at(4.0), 1);
}

TEST(DelayedInputsTest, AStateThatIsSetJumpsWhereItsDelayHasPassed) {
  const TimelineResult run = RunPulse(
      "Real z(start = 0, fixed = true);\n"
      "equation\n der(z) = 0;\n der(x) = delay(z, 0.75);\n",
      "z",
      1s);
  EXPECT_NEAR(run["x"].at(4.0), 1, kRounding);
}

TEST(DelayedInputsTest, AParameterThatIsSetJumpsWhereItsDelayHasPassed) {
  Simulator simulator(
      CompileBody("parameter Real p = 0;\n"
                  "Real x(start = 0, fixed = true);\n"
                  "equation\n der(x) = delay(p * (time + 1), 0.75);\n"),
      {.stop = 4});
  simulator.RunUntil(1);
  EXPECT_TRUE(simulator.Set({{{.name = "p", .value = 1}}}));
  simulator.RunUntil(4);
  EXPECT_NEAR(simulator["x"], (4.25 * 4.25 - 2 * 2) / 2, 10 * kRounding);
}

TEST(DelayedInputsTest, ACrossingIsToldWhenTheJumpArrives) {
  Simulation sim;
  System& system = sim.Add(
      CompileBody("input Real u(start = 0);\n Real y = delay(u, 0.75);\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto jump = [&](SystemVariable u) -> Task<> {
    co_await tasks.Delay(1s);
    u.Set(1);
  };
  std::vector<Duration> seen;
  const auto note = [&]() -> Task<> {
    seen.push_back(tasks.Now());
    co_return;
  };
  sim.Connect(Crossing{system["y"], 0.5},
              [&](const Crossed&) { return note(); });
  sim.Start(jump(system["u"]));
  EXPECT_TRUE(sim.Run({.stop = 4s}).summary.completed());
  EXPECT_THAT(seen, ElementsAre(1750ms));
}

}  // namespace
}  // namespace orrery
