// Runs that are continued.

#include <cmath>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sdk/orrery.h"
#include "orrery/sdk/test/hybrid_blocks.h"

namespace {

using orrery::Ball;
using orrery::Decay;
using orrery::RunResult;
using orrery::SimulationOptions;
using orrery::Simulator;
using testing::SizeIs;

// The example of the user's guide.
struct CountedBall : orrery::Block {
  State h{this, "h", 10.0, "m"}, v{this, "v", 0.0, "m/s"};
  Discrete impacts{this, "impacts", 0.0};
  Event impact{this, "impact", Direction::kFalling};

  void Equations(EquationSet& eq) override {
    eq.Der(h) = v;
    eq.Der(v) = -9.81;
    eq.Set(impact) = h;
    auto at_impact = eq.On(impact);
    at_impact.Set(v) = -0.8 * v;
    at_impact.Set(impacts) = impacts + 1;
  }
};

TEST(SimulatorTest, ExampleOfTheGuide) {
  CountedBall ball;
  const RunResult r = Simulate(ball, {.stop = 12.5, .tolerance = 1e-10});
  EXPECT_THAT(r.events.TimesOf("impact"), SizeIs(16));
  EXPECT_EQ(r["impacts"].final(), 16);
  Simulator simulator(Compile(MakeModel(ball)), {.tolerance = 1e-10});
  simulator.RunUntil(5.5);
  while (simulator.Step(10) && simulator["h"] < 2.5) {
  }
  const RunResult result = simulator.Finish();
  EXPECT_GE(result["h"].final(), 2.5);
  EXPECT_LT(result.summary.end_time, 7);
}

TEST(SimulatorTest, StepsLeadToTheResultOfTheWholeRun) {
  Ball ball;
  const auto program = Compile(MakeModel(ball));
  const SimulationOptions options{.stop = 5, .tolerance = 1e-9};
  Simulator simulator(program, options);
  std::int64_t steps = 0;
  double before = simulator.t();
  while (simulator.Step(5)) {
    EXPECT_GT(simulator.t(), before);
    before = simulator.t();
    ++steps;
  }
  EXPECT_GT(steps, 5);
  const RunResult whole = Simulate(program, options);
  EXPECT_EQ(simulator["h"], whole["h"].final());
  EXPECT_EQ(simulator.Finish().trajectory.rows(), whole.trajectory.rows());
}

TEST(SimulatorTest, GoesOnPastTheStopTime) {
  Decay decay;
  Simulator simulator(Compile(MakeModel(decay)),
                      {.stop = 1, .tolerance = 1e-9});
  EXPECT_TRUE(simulator.RunUntil(1));
  EXPECT_NEAR(simulator["x"], 2 * std::exp(-1), 1e-8);
  EXPECT_TRUE(simulator.RunUntil(4));
  EXPECT_NEAR(simulator["x"], 2 * std::exp(-4), 1e-8);
  EXPECT_EQ(simulator.Result()["x"].at(2.5), simulator.Result()["x"].at(2.5));
}

TEST(SimulatorTest, ATimeThatIsNotFiniteIsRefusedAndHarmsNothing) {
  Ball ball;
  Simulator simulator(Compile(MakeModel(ball)), {.tolerance = 1e-9});
  ASSERT_TRUE(simulator.RunUntil(0.5));
  for (const double time : {std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(simulator.RunUntil(time), orrery::Error);
    EXPECT_THROW(simulator.AdvanceTo(time), orrery::Error);
    EXPECT_THROW(simulator.Step(time), orrery::Error);
  }
  EXPECT_EQ(simulator.t(), 0.5);
  EXPECT_TRUE(simulator.RunUntil(1));
  EXPECT_EQ(simulator.Finish().summary.end_time, 1);
}

TEST(SimulatorTest, EndedRunStaysWhereItIs) {
  Ball ball(10, 0.7);
  Simulator simulator(Compile(MakeModel(ball)));
  EXPECT_FALSE(simulator.RunUntil(10));
  EXPECT_TRUE(simulator.has_ended());
  const double end = simulator.t();
  EXPECT_FALSE(simulator.RunUntil(20));
  EXPECT_EQ(simulator.t(), end);
}

TEST(SimulatorTest, UnknownNameIsRefusedWithASuggestion) {
  Decay decay;
  const Simulator simulator(Compile(MakeModel(decay)));
  EXPECT_THROW(static_cast<void>(simulator["xx"]), orrery::Error);
}

}  // namespace
