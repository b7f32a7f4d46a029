#pragma once

#include <span>

#include "orrery/base/time.h"
#include "orrery/sdk/model/model.h"

// Analyses of a model near an operating point, instead of runs.
#include "orrery/analysis/analysis_file.h"
#include "orrery/analysis/frequency_response.h"
#include "orrery/analysis/linear_system.h"
#include "orrery/analysis/linearize.h"
#include "orrery/analysis/steady_state.h"
#include "orrery/sim/operating_point.h"

// IWYU pragma: end_exports

namespace orrery {

/// Returns the operating point at the initial values of a block or a diagram
/// written in C++, to be linearised or brought to a steady state:
///
///     OperatingPoint point = InitialPoint(tank);
///     FindSteadyState(point, {.ranges = {{"h", 5, 5}}});
///     LinearSystem system = Linearize(point);
///
/// @throws Error as `MakeModel`, `Compile` and `OperatingPoint` do.
[[nodiscard]] OperatingPoint InitialPoint(
    Block& top, std::span<const Setting> settings = {}, Seconds time = 0);

/// The same for a model.
[[nodiscard]] OperatingPoint InitialPoint(
    const Model& model,
    std::span<const Setting> settings = {},
    Seconds time = 0);

}  // namespace orrery
