#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/incidence.h"
#include "orrery/compile/system/system.h"

namespace orrery::internal {

/// Says why a problem cannot be solved whose maximum matching leaves equations
/// or unknowns over, in the terms of the model's author: the equations and
/// connections as they were before aliases were eliminated, each with its
/// place, and the likely cause where it is one of these:
///
/// - potentials of which only the differences are determined;
/// - states that an equation binds, so that the model is of a higher index;
/// - an input of a part that nothing is connected to;
/// - a quantity in no equation, and an equation without an unknown;
/// - an equation that follows from others.
///
/// Makes the scalar equations a second time: for what fails only.
void ReportSingular(System& system,
                    const SortProblem& problem,
                    const Incidence& incidence,
                    const Matching& matching,
                    Diagnostics& diagnostics);

/// The potentials among some unknowns, if the equations stay true when all of
/// these rise by the same: then nothing determines more than differences.
/// Empty if a potential from elsewhere is in the equations, or if a formula
/// tells the level.
[[nodiscard]] std::vector<std::uint32_t> FindFloating(
    System& system,
    std::span<const ScalarEquation> equations,
    std::span<const std::uint32_t> unknowns);

/// Reports what `FindFloating` found.
void ReportFloating(System& system,
                    std::span<const std::uint32_t> potentials,
                    Diagnostics& diagnostics);

}  // namespace orrery::internal
