#pragma once

#include <memory>

#include "orrery/experiment/runs/subject.h"
#include "orrery/fmi/stepping/co_simulation.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery {

/// True if a document runs an FMU by Model Exchange, as equations: if it says
/// so, or says nothing and the FMU is made for it.
/// @throws Error as reading the FMU; kInvalidArgument for an unknown kind of
///     use.
[[nodiscard]] bool RunsAsEquations(const RunDocument& document);

/// The options of a document for Co-Simulation.
/// @param clock measures the time of the FMU's code; may be null.
/// @throws Error as InputsOf.
[[nodiscard]] fmi::CoSimulationOptions StepOptionsOf(
    const RunDocument& document, const WallClock* clock);

/// Makes an FMU the subject of experiments that run it by Co-Simulation. What
/// can be set of it may vary, but for texts and sizes of arrays. Each runner
/// loads the code for itself.
/// @throws Error as CoSimulation; kUnsupported for Scheduled Execution.
[[nodiscard]] std::shared_ptr<const Subject> MakeFmuSubject(
    const RunDocument& document);

}  // namespace orrery
