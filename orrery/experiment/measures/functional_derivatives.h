#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/measures/measure_content.h"
#include "orrery/experiment/measures/run_formula.h"
#include "orrery/results/trajectory.h"
#include "orrery/symbolic/tape/tape_tangents.h"

namespace orrery::experiment::internal {

/// The derivatives of the signals of a run by one varied quantity.
struct MovingSignals {
  std::vector<SignalSlot> signals;
  Signal time;
};

/// The derivatives of `signals` of a run by the quantity `with`.
[[nodiscard]] MovingSignals FindMoving(const Trajectory& run,
                                       const std::string& with,
                                       std::span<const SignalSlot> signals);

/// The derivative of the functional of a step over a run; see
/// Measure::Content::Take. NaN if it does not depend smoothly on the run.
/// @param e the formula of the step over the run.
/// @param memory, tangents hold the values of its arguments and their
///     derivatives.
[[nodiscard]] double DerivativeOf(const MeasureStep& step,
                                  RunFormula& e,
                                  const MovingSignals& signals,
                                  const std::vector<double>& memory,
                                  TapeTangents& tangents);

}  // namespace orrery::experiment::internal
