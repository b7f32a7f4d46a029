// A block with its equations as on paper, in a diagram with a gain that holds
// the pendulum back.

#include <chrono>
#include <cmath>
#include <cstdio>

#include "orrery/model/blocks.h"
#include "orrery/model/diagram.h"
#include "orrery/sdk/simulate.h"

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)
using orrery::Diagram;
using orrery::Gain;
using orrery::Simulate;
using orrery::Trajectory;

struct Pendulum : orrery::Block {
  Parameter length{this, "length", 1.0, "m"};
  Input torque{this, "torque"};
  State angle{this, "angle", 0.1}, rate{this, "rate", 0.0};
  Output tip{this, "tip", "m"};

  void Equations(EquationSet& eq) override {
    eq.Der(angle) = rate;
    eq.Der(rate) = -9.81 / length * sin(angle) + torque;
    eq.Set(tip) = length * sin(angle);
  }
};

int main() {
  Diagram d{"Controlled"};
  auto& pendulum = d.Add<Pendulum>("pendulum");
  auto& gain = d.Add<Gain>("gain", -3.0);
  d.Connect(pendulum.tip, gain.u);
  d.Connect(gain.y, pendulum.torque);

  const Trajectory r = Simulate(d, {.stop = 10s, .tolerance = 1e-9});

  // The gain pulls back with 3 sin(angle): a pendulum with g + 3, whose energy
  // is constant.
  const double angle = r["pendulum.angle"].at(2.5);
  const double rate = r["pendulum.rate"].at(2.5);
  const double energy = rate * rate / 2 - 12.81 * std::cos(angle);
  std::printf("angle(2.5 s) = %.9f rad, energy = %.9f\n", angle, energy);
  return std::abs(energy + 12.81 * std::cos(0.1)) < 1e-7 ? 0 : 1;
}
