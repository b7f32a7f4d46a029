#pragma once

// The values of all quantities at a time of a run.

#include <optional>
#include <span>

#include "orrery/sim/explain/explain.h"
#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// Writes all that other values are computed from.
std::optional<Failure> WritePoint(RunState& run,
                                  double t,
                                  std::span<const double> x);

/// Leaves all values at a time between events in memory.
/// @returns the failure, if any.
std::optional<Explanation> ComputeValues(RunState& run,
                                         double t,
                                         std::span<const double> x,
                                         ProgramEvaluator::LoopStart start);

/// As ComputeValues, for a row. Within the step at hand, loops start from
/// between their solutions at its ends: beside a fold, those alone are on their
/// side.
std::optional<Explanation> ComputeRowValues(RunState& run,
                                            double t,
                                            std::span<const double> x);

/// As ComputeValues; ends the run if that fails.
bool ComputeOrEnd(RunState& run,
                  double t,
                  std::span<const double> x,
                  ProgramEvaluator::LoopStart start);

/// Runs the schedules of derivatives and outputs on what is in memory.
std::optional<Failure> RunSchedules(RunState& run,
                                    ProgramEvaluator::LoopStart start);

/// Takes the states, and their sensitivities, as an event has left them.
void ReadStates(RunState& run);

}  // namespace orrery::sim::internal
