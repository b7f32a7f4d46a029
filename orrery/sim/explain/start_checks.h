#pragma once

#include <optional>

#include "orrery/sim/explain/explain.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/machine/settings.h"

namespace orrery::sim::internal {

/// Checks that parameters and start values are numbers, Integers among them
/// exact, and in the ranges that the model gives them (Modelica Language
/// Specification 3.6, section 4.9), and that loops with parameters as gains
/// have unique solutions. The values have to be in memory.
/// @returns all findings.
[[nodiscard]] std::optional<Explanation> CheckStart(ProgramEvaluator& evaluator,
                                                    const Settings& settings);

/// Likewise for parameters alone, after they were set in a run.
[[nodiscard]] std::optional<Explanation> CheckParameters(
    ProgramEvaluator& evaluator, const Settings& settings);

}  // namespace orrery::sim::internal
