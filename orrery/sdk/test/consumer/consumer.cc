#include <cmath>
#include <fstream>

#include "orrery/model/diagram.h"
#include "orrery/sdk/blocks/sources.h"
#include "orrery/sdk/results.h"
#include "orrery/sdk/simulate.h"

int main() {
  std::ofstream("decay.cbd") << "I, 1, 1, 2\n-, 2, 1\nO, 3, 1\n";
  const auto model = orrery::LoadFile("decay.cbd");
  const auto run = orrery::Simulate(model, {.stop = 1});
  orrery::WriteTrajectory("decay.csv", run.trajectory);
  orrery::Diagram diagram;
  diagram.Add<orrery::blocks::sources::Ramp>("ramp", {.height = 2});
  const auto ramp = orrery::Simulate(diagram, {.stop = 1});
  return std::abs(run["b3"].final() - std::exp(-1.0)) < 1e-6 &&
                 ramp["ramp.y"].final() == 1
             ? 0
             : 1;
}
