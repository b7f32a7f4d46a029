#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"

namespace orrery::internal {

/// Relations that only choose between branches which meet where they change,
/// if they are between members of nonlinear loops, as m > 0 in
///
///     y = if m > 0 then m^2 else -m^2;    m = a - y;
///
/// or if a branch is infinitely steep there, as both are in
///
///     q = if p > 0 then sqrt(p) else -sqrt(-p);
///
/// and magnitudes of which a root is, as in
///
///     q = sign(p)*sqrt(abs(p));
///
/// A truth that is held makes another curve of such a choice, here a parabola:
/// the loop then has solutions on branches that are not there, or none before
/// the event is found; and a root has no value, or leads back at once, where
/// the event is just behind. As they are, like in noEvent(), the choice has a
/// kink at most, which the control of the steps sees; and where a motion comes
/// to rest at it, rounding does not make events without end. Where one branch
/// alone is steep, as of a tank that is empty at last, a step over the end
/// would see little of it: see HeldRelations::RelationAtRoot.
/// @param equations as they are between events.
[[nodiscard]] std::vector<PresentRelation> FindPresentRelations(
    System& system, std::span<const SortedEquation> equations);

}  // namespace orrery::internal
