#include "orrery/sdk/simulate.h"

namespace orrery {

RunResult Simulate(Block& top,
                   const SimulationOptions& options,
                   const Observer& observer) {
  return Simulate(MakeModel(top), options, observer);
}

RunResult Simulate(const Model& model,
                   const SimulationOptions& options,
                   const Observer& observer) {
  return Simulate(Compile(model, options.settings), options, observer);
}

}  // namespace orrery
