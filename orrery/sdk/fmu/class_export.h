#pragma once

#include <string>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/fmi/description.h"
#include "orrery/sdk/classes/plugin.h"

namespace orrery {

/// The bytes of an FMU of a DEVS model or a model of tasks, for Co-Simulation.
/// @param settings parameters that the FMU has in place of the class's
/// defaults.
/// @param code the bytes of the library that `orrery_add_fmu` links.
/// @throws Error kUnsupported for a Simulation; kInvalidModel if two quantities
///     have one name; as DevsModel::Make and ProcessModel::Make.
[[nodiscard]] std::string ExportClassFmu(const ClassModel& model,
                                         std::vector<ParameterText> settings,
                                         fmi::FmiVersion version,
                                         std::string code);

}  // namespace orrery
