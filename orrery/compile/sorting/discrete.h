#pragma once

#include <optional>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/incidence.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Finds the unknowns that each equation may determine. Equations between
/// discrete quantities or of when-clauses determine discrete unknowns, the
/// others continuous ones. Loops determine their own slices and nothing else.
/// @returns nothing if no unknown is discrete or a slice: then it is all
///     unknowns of each equation.
[[nodiscard]] std::optional<Incidence> FindCandidates(
    System& system, const SortProblem& problem, const Incidence& incidence);

/// Returns the part of a problem that holds between events, when all discrete
/// quantities are known.
[[nodiscard]] MatchedProblem ContinuousPart(System& system,
                                            const MatchedProblem& all);

/// Breaks loops through relations, as in `x = if x > 1 then y else z`. The
/// value of a relation in a loop counts as known, and a new unknown takes the
/// value that follows from the solution. Iteration makes the two agree. Where
/// Real quantities still depend on Booleans or Integers that follow from them,
/// as gates set by the voltage that they switch, these are iterated likewise.
[[nodiscard]] std::vector<IteratedScalar> BreakLoopsAtRelations(
    System& system, MatchedProblem& matched);

}  // namespace orrery::compile::internal
