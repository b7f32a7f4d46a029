#pragma once

#include <optional>
#include <span>

#include "orrery/base/values/parameters.h"
#include "orrery/fmi/fmu.h"
#include "orrery/model/flat_model.h"

namespace orrery::fmi {

/// An FMU for Co-Simulation as a part of equations. What it computes, y,
/// changes at communication points t_k = start + k*step only, by its code:
///
///     epoch = start(handle, t, step, parameters, starts, discrete inputs)
///     y = at start(handle, epoch, u), for those whose start cannot be set
///     y, epoch = step(handle, epoch, v, parameters) in the event at t_k
///     v = u after the event at t_k
///
/// with inputs u, which hold as v from a point to the next. Equations see y as
/// it was left at the last point; so the error of a loop through it is of the
/// first order in the step. What changes u between two points reaches the FMU
/// at the second. The step is a parameter `communication`, unless the FMU has a
/// variable of that name.
///
/// Loads the code.
/// @param texts values of parameters that are Strings or Binaries.
/// @param step as in CoupledModel.
/// @throws Error as CoupledModel.
[[nodiscard]] FlatModel CoupledEquationsOf(
    const Fmu& fmu,
    std::span<const ParameterText> texts = {},
    std::optional<double> step = {});

}  // namespace orrery::fmi
