#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/system/pace.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sim/simulation.h"

namespace orrery {

// A report is the text of one JSON object, indented, with a newline at its end.
// Keys keep their order; a number that is not finite is null.

/// What a part of a run, as an FMU of a system, has done, and how long it took.
struct PartTiming {
  std::string name;
  std::int64_t steps = 0;
  std::int64_t events = 0;
  double ms = 0;
};

/// Durations, ms.
struct RunTiming {
  double compile_ms = 0;
  double run_ms = 0;
  std::vector<PartTiming> parts = {};  ///< None: it was not asked.
};

enum class ReportedEvents : bool { kWithout, kWith };

/// The time of the last row.
[[nodiscard]] double TimeReached(const RunResult& result);

/// The report of a run of the model with this name.
/// @param warnings about the model, in addition to those of the run.
[[nodiscard]] std::string JsonReport(const std::string& model,
                                     std::vector<Diagnostic> warnings,
                                     const RunResult& result,
                                     const RunTiming& timing,
                                     ReportedEvents events,
                                     const std::optional<LagReport>& lag);

/// The report of a run of equations.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string JsonReport(const Program& program,
                                     const RunResult& result,
                                     const RunTiming& timing,
                                     ReportedEvents events,
                                     const std::optional<LagReport>& lag);

}  // namespace orrery
