#pragma once

#include <vector>

#include <pybind11/pybind11.h>

#include "orrery/base/values/setting.h"
#include "orrery/sim/types/options.h"

namespace orrery::python {

/// The options of a run by the names of SimulationOptions; times in seconds,
/// `method` and `code` by their names, `inputs` as
/// (name, [(column, unit, numbers), ...]). Compiles beside the run.
/// @throws Error kInvalidArgument for an unknown method or code.
[[nodiscard]] SimulationOptions OptionsFrom(const pybind11::dict& options);

/// Settings from numbers by names.
[[nodiscard]] std::vector<Setting> SettingsFrom(const pybind11::dict& numbers);

}  // namespace orrery::python
