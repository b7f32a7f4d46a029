// A cruise control of the library's blocks drives a car that is written in
// Modelica (car.mo): from 20 to 25 m/s on the level, then up a hill.

#include <cmath>
#include <cstdio>
#include <string>

#include "orrery/sdk/blocks/continuous.h"
#include "orrery/sdk/blocks/logical.h"
#include "orrery/sdk/blocks/more_discrete.h"
#include "orrery/sdk/blocks/sources.h"
#include "orrery/sdk/orrery.h"

int main(int argc, char** argv) {
  namespace blocks = orrery::blocks;
  const std::string folder = argc > 1 ? argv[1] : ".";

  orrery::Diagram d{"CruiseControl"};
  auto& wanted = d.Add<blocks::sources::Step>(
      "wanted", {.offset = 20, .startTime = 5, .height = 5});
  auto& hill =
      d.Add<blocks::sources::Step>("hill", {.startTime = 60, .height = 0.03});
  auto& control = d.Add<blocks::continuous::LimPID>(
      "control",
      {.controllerType = blocks::SimpleController::kPI,
       .k = 800,
       .Ti = 10,
       .yMax = 3000,
       .xi_start = 0.45});
  auto& car = d.Add<orrery::ModelicaBlock>(
      "car",
      {"Car", orrery::SourceFile::Read(folder + "/car.mo")},
      {{"m", 1500}});
  auto& too_fast = d.Add<blocks::logical::Hysteresis>(
      "too_fast", {.uLow = 25.1, .uHigh = 25.2});
  auto& times = d.Add<blocks::more_discrete::Counter>("times");
  d.Connect(wanted.y, control.u_s);
  d.Connect(car["v"], control.u_m);
  d.Connect(control.y, car["force"]);
  d.Connect(hill.y, car["slope"]);
  d.Connect(car["v"], too_fast.u);
  d.Connect(too_fast.y, times.trigger);

  const auto run = orrery::Simulate(d, {.stop = 300.0, .tolerance = 1e-10});
  const double force = run["control.y"].final();
  std::printf("v = %.9f m/s, force %.6f N, too fast %g times\n",
              run["car.v"].final(),
              force,
              run["times.y"].final());

  // In the steady state the force is the sum of rolling resistance, drag and
  // slope.
  const double exact = 200 + 0.4 * 25 * 25 + 1500 * 9.81 * 0.03;
  const bool is_right = std::abs(run["car.v"].final() - 25) < 1e-6 &&
                        std::abs(force - exact) < 1e-3 &&
                        run["times.y"].final() == 1 &&
                        run["control.y"].max() <= 3000;
  return is_right ? 0 : 1;
}
