#pragma once

#include "orrery/sdk/model/model.h"
#include "orrery/sim/ensemble/ensemble.h"  // IWYU pragma: export
#include "orrery/sim/simulation.h"

namespace orrery {

/// Compiles and runs a block or a diagram written in C++:
///
///     Trajectory r = Simulate(d, {.stop = 10s, .tolerance = 1e-9});
///     r["pendulum.angle"].at(2.5);
///
/// @throws Error as `MakeModel`, `Compile` and `Simulate` of a program do.
[[nodiscard]] RunResult Simulate(Block& top,
                                 const SimulationOptions& options = {},
                                 const Observer& observer = {});

/// Compiles and runs a model. The settings may include structural parameters.
[[nodiscard]] RunResult Simulate(const Model& model,
                                 const SimulationOptions& options = {},
                                 const Observer& observer = {});

}  // namespace orrery
