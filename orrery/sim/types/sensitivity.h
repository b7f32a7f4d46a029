#pragma once

#include <string>
#include <string_view>

#include "orrery/program/program.h"
#include "orrery/sim/types/options.h"

namespace orrery {

/// The name of the signal for the derivative of `signal` by `with`:
/// `d(x)/d(k)`. See `SimulationOptions::sensitivities`.
[[nodiscard]] std::string SensitivityName(std::string_view signal,
                                          std::string_view with);

/// Why sensitivities cannot be found in runs of `program` with `options`; empty
/// if they can.
[[nodiscard]] std::string WhyNotDifferentiable(
    const Program& program, const SimulationOptions& options);

}  // namespace orrery
