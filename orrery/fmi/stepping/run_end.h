#pragma once

#include <string>

#include "orrery/fmi/instance.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {

/// Returns the summary of a run that begins.
[[nodiscard]] Summary SummaryOf(const RunTimes& times);

/// Ends a run. What no FMU has asked for is an error.
void EndRun(Summary& summary, RunOutcome outcome, const std::string& message);

/// Tells the observer, if there is one, how far the run has come.
/// @param t s
/// @returns false if it ends the run there.
[[nodiscard]] bool GoesOn(Summary& summary, const Observer& observer, double t);

}  // namespace orrery::fmi
