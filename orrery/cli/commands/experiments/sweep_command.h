#pragma once

#include <span>

#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/request/requests.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {

/// Reads files and plots before the runs that are needed after them.
/// @throws Error as MakePlans and CheckPlot.
[[nodiscard]] Plans PlansFor(const SweepCommand& command,
                             const RunSeries& series);

/// Carries out runs of a sweep, saves them, and reports on the whole sweep.
/// @param todo the runs to carry out; the others are in the store.
/// @returns the exit code.
int CarryOutAndReport(const SweepCommand& command,
                      const RunSeries& series,
                      std::span<const RunRange> todo,
                      const Plans& plans,
                      SavedExperiment& saved);

/// Runs a model at many points and reports.
/// @returns the exit code: kModelFailed if no run completed.
int Sweep(const SweepCommand& command);

}  // namespace orrery::cli
