#pragma once

#include <optional>

#include "orrery/sim/explain/explain.h"
#include "orrery/sim/machine/machine.h"
#include "orrery/sim/machine/settings.h"

namespace orrery::internal {

/// Checks that parameters and start values are numbers, Integers among them
/// exact, and in the ranges that the model gives them (Modelica Language
/// Specification 3.6, section 4.9), and that loops whose gains they are have
/// unique solutions. To be called once they are in place.
/// @returns what is wrong, all of it.
[[nodiscard]] std::optional<Explanation> CheckStart(Machine& machine,
                                                    const Settings& settings);

/// The same of the parameters alone, which were given new values in a run.
[[nodiscard]] std::optional<Explanation> CheckParameters(
    Machine& machine, const Settings& settings);

}  // namespace orrery::internal
