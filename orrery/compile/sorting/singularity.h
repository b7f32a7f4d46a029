#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/incidence.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Explains why a problem cannot be solved whose maximum matching leaves
/// equations or unknowns over. The terms are those of the model's author:
/// equations and connections as they were before aliases were eliminated, each
/// with its place, and the likely cause where it is one of these:
///
/// - potentials of which only the differences are determined;
/// - states that an equation binds, so that the model is of a higher index;
/// - an input of a part that nothing is connected to;
/// - a quantity in no equation, and an equation without an unknown;
/// - an equation that follows from others.
///
/// Builds the scalar equations a second time: call it for a failed problem
/// only.
void ReportSingular(System& system,
                    const SortProblem& problem,
                    const Incidence& incidence,
                    const Matching& matching,
                    Diagnostics& diagnostics);

/// Finds the potentials among `unknowns` that are determined only up to a
/// constant: the equations stay true when all of them rise by the same amount.
/// Empty if the equations contain a potential from elsewhere, or a formula that
/// fixes the level.
[[nodiscard]] std::vector<std::uint32_t> FindFloating(
    System& system,
    std::span<const ScalarEquation> equations,
    std::span<const std::uint32_t> unknowns);

/// Reports what `FindFloating` found.
void ReportFloating(System& system,
                    std::span<const std::uint32_t> potentials,
                    Diagnostics& diagnostics);

}  // namespace orrery::compile::internal
