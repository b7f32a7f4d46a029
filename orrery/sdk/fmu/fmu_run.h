#pragma once

#include "orrery/fmi/stepping/co_simulation.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery {

/// True if a document runs an FMU by Model Exchange, as equations: if it says
/// so, or says nothing and the FMU is made for it.
/// @throws Error as LoadFmu; kInvalidArgument for an unknown kind of use.
[[nodiscard]] bool RunsAsEquations(const RunDocument& document);

/// The run of an FMU by Co-Simulation that a document defines.
/// @throws Error as LoadFmu, InputsOf and CoSimulation.
[[nodiscard]] fmi::CoSimulation MakeFmuRun(const RunDocument& document);

}  // namespace orrery
