#include "orrery/sdk/simulate.h"

#include <chrono>

#include <gtest/gtest.h>

#include "orrery/sdk/orrery.h"

namespace orrery {
namespace {

using std::chrono_literals::operator""s;

struct Pendulum : Block {
  Parameter length{this, "length", 1.0, "m"};
  Input torque{this, "torque"};
  State angle{this, "angle", 0.1};
  State rate{this, "rate", 0.0};
  Output tip{this, "tip", "m"};

  void Equations(EquationSet& eq) override {
    eq.Der(angle) = rate;
    eq.Der(rate) = -9.81 / length * sin(angle) + torque;
    eq.Set(tip) = length * sin(angle);
  }
};

TEST(SimulateTest, DiagramInPlainCppRunsInOneCall) {
  Diagram d{"Controlled"};
  auto& pendulum = d.Add<Pendulum>("pendulum");
  auto& gain = d.Add<Gain>("gain", -3.0);
  d.Connect(pendulum.tip, gain.u);
  d.Connect(gain.y, pendulum.torque);

  const Trajectory r = Simulate(d, {.stop = 10s, .tolerance = 1e-9});
  // A pendulum of gravity 12.81: 2 asin(k cd(sqrt(12.81) t, k)), k = sin 0.05.
  EXPECT_NEAR(
      r["pendulum.angle"].at(2.5), -0.0885828770747210657870889978227, 1e-8);
  EXPECT_NEAR(
      r["pendulum.angle"].final(), -0.0351986056431174203203043144159, 1e-8);
}

TEST(SimulateTest, AGainOfOneOntoItselfIsALoopThatIsLeftFree) {
  Diagram d{"D"};
  auto& gain = d.Add<Gain>("gain", 1.0);
  d.Connect(gain.y, gain.u);
  const RunResult run = Simulate(d, {.stop = 1s});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_EQ(run.summary.message,
            "cannot solve the algebraic loop {gain.u}: with gain.k = 1 its "
            "equations leave it free, there are infinitely many solutions: "
            "gain.u = gain.k*gain.u");
}

TEST(SimulateTest, TrajectoryOfARunThatFailedIsAnError) {
  Diagram d{"Pole"};
  auto& square = d.Add<Product>("square");
  auto& x = d.Add<Integrator>("x", 1.0);
  d.Connect(x.y, square.u1);
  d.Connect(x.y, square.u2);
  d.Connect(square.y, x.u);
  const RunResult run = Simulate(d, {.stop = 2s});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kStepTooSmall);
  EXPECT_THROW(static_cast<void>(Trajectory(run)), Error);
}

}  // namespace
}  // namespace orrery
