#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/fmi/stepping/co_simulation.h"
#include "orrery/sdk/documents/fmu_subject.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery {

/// A run from one communication point to the next, of an FMU or of a system.
struct SteppedRun {
  std::string model;  ///< Its name.
  std::string kind;   ///< `FMU`, or `3 FMUs`.
  std::string way;    ///< `Co-Simulation by 0.1 s`.
  std::shared_ptr<const SignalTable> signals;
  std::function<RunResult(const Observer&)> run;
  /// What its FMUs have done in it; empty if they are not measured.
  std::function<std::vector<fmi::FmuStatistics>()> statistics;
};

/// The run of an FMU by its own method, or of a system of FMUs, that a document
/// defines.
/// @param clock measures the time of their code; may be null.
/// @param findings gets what is odd about a system.
/// @throws Error as LoadFmu, InputsOf, CoSimulation and ScheduledRun; as
///     fmi::ReadSystemFile and fmi::SystemRun.
[[nodiscard]] SteppedRun MakeSteppedRun(const RunDocument& document,
                                        const WallClock* clock,
                                        Diagnostics& findings);

}  // namespace orrery
