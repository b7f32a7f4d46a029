#pragma once

#include <functional>
#include <memory>
#include <string>

#include "orrery/base/diagnostic.h"
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

/// A run from one communication point to the next, of an FMU or of a system.
struct SteppedRun {
  std::string model;  ///< Its name.
  std::string kind;   ///< `FMU`, or `3 FMUs`.
  double step = 0;    ///< s
  std::shared_ptr<const SignalTable> signals;
  std::function<RunResult(const Observer&)> run;
};

/// The same of an FMU or a system of FMUs.
/// @param findings gets what is odd about a system.
/// @throws Error as MakeFmuRun; as fmi::ReadSystemFile and fmi::SystemRun.
[[nodiscard]] SteppedRun MakeSteppedRun(const RunDocument& document,
                                        Diagnostics& findings);

}  // namespace orrery
