#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/program/program.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/machine/program_evaluator.h"

namespace orrery::sim::internal {

/// Explains why an algebraic loop was not solved.
/// @param number in `Program::blocks`.
[[nodiscard]] Explanation ExplainLoop(const ProgramEvaluator& evaluator,
                                      std::size_t number,
                                      LoopResult why);

/// The name of an algebraic loop: "{x, y}".
[[nodiscard]] std::string NameOfLoop(const ResidualBlock& loop);

/// Warns of linear loops that did not determine all of their unknowns at some
/// time.
[[nodiscard]] std::vector<Diagnostic> WarnOfFreedom(
    const ProgramEvaluator& evaluator);

/// Explains which loops in `Program::determinants` have no unique solution with
/// the parameters in memory; none if all have one. Determinants that cannot be
/// evaluated are left to the equations.
/// @param at_start whether to include loops that are solved at the start only.
[[nodiscard]] std::optional<Explanation> ExplainIfSingular(
    ProgramEvaluator& evaluator, bool at_start);

}  // namespace orrery::sim::internal
