#pragma once

#include "orrery/fmi/co_simulation.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery {

/// The run of an FMU by Co-Simulation that a document defines.
/// @throws Error as LoadFmu, InputsOf and CoSimulation; kInvalidArgument for an
///     unknown kind of use, kUnsupported for one that cannot be run.
[[nodiscard]] fmi::CoSimulation MakeFmuRun(const RunDocument& document);

}  // namespace orrery
