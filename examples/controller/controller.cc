// The controller of controller.mo and controller.cbd as a diagram in C++.

#include <cmath>
#include <cstdio>
#include <vector>

#include "orrery/model/blocks.h"
#include "orrery/model/diagram.h"
#include "orrery/sdk/simulate.h"

int main() {
  using orrery::Constant;
  using orrery::Gain;
  using orrery::Integrator;
  using orrery::Sum;

  orrery::Diagram loop{"Loop"};
  auto& setpoint = loop.Add<Constant>("setpoint", 1.0);
  auto& error = loop.Add<Sum>("error", std::vector<double>{1, -1});
  auto& integral = loop.Add<Integrator>("integral");
  auto& force = loop.Add<Sum>("force", std::vector<double>{3, 0.5});
  auto& balance = loop.Add<Sum>("balance", std::vector<double>{0.5, -0.25});
  auto& speed = loop.Add<Integrator>("speed");
  auto& position = loop.Add<Integrator>("position");
  loop.Connect(setpoint.y, error.u[0]);
  loop.Connect(position.y, error.u[1]);
  loop.Connect(error.y, integral.u);
  loop.Connect(error.y, force.u[0]);
  loop.Connect(integral.y, force.u[1]);
  loop.Connect(force.y, balance.u[0]);
  loop.Connect(speed.y, balance.u[1]);
  loop.Connect(balance.y, speed.u);
  loop.Connect(speed.y, position.u);

  const auto run = orrery::Simulate(
      loop, {.stop = 5.0, .tolerance = 1e-11, .absolute_tolerance = 1e-13});

  // The matrix exponential, in rational arithmetic.
  const double position_error =
      std::abs(run["position.y"].final() - 0.2014179921219196);
  const double speed_error =
      std::abs(run["speed.y"].final() + 0.18993734479237276);
  std::printf("position %.12f, speed %.12f\n",
              run["position.y"].final(),
              run["speed.y"].final());
  return position_error < 1e-8 && speed_error < 1e-8 ? 0 : 1;
}
