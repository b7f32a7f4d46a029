#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Relations that only choose between branches which meet where they change,
/// if they are between members of nonlinear loops, as m > 0 in
///
///     y = if m > 0 then m^2 else -m^2;    m = a - y;
///
/// or a branch is infinitely steep there, as both are in
///
///     q = if p > 0 then sqrt(p) else -sqrt(-p);
///
/// Finds magnitudes under such a root as well, as in
///
///     q = sign(p)*sqrt(abs(p));
///
/// A held relation makes another curve of such a choice, here a parabola. The
/// loop then has solutions on branches that do not exist, or none before the
/// event is found; and a root has no value just behind the event, or leads back
/// to it at once. At its present value, as in noEvent(), the choice has a kink
/// at most, which the step size control sees; and where a motion comes to rest
/// at the kink, rounding does not make events without end. If one branch alone
/// is steep, as of a tank that runs empty, a step over its end would see little
/// of it: see HeldRelations::RelationAtRoot.
/// @param equations those between events.
[[nodiscard]] std::vector<UnheldRelation> FindUnheldRelations(
    System& system, std::span<const SortedEquation> equations);

}  // namespace orrery::compile::internal
