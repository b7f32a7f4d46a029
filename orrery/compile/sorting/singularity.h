#pragma once

#include <cstdint>
#include <span>

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

/// Reports what `FindFloating` found.
void ReportFloating(System& system,
                    std::span<const std::uint32_t> potentials,
                    Diagnostics& diagnostics);

}  // namespace orrery::compile::internal
