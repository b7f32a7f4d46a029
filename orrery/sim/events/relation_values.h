#pragma once

// The values of relations between events and in them.

#include <cstddef>
#include <optional>
#include <vector>

#include "orrery/sim/events/event_state.h"

namespace orrery::sim::internal {

/// Computes the operands of all relations in memory.
std::optional<Failure> EvaluateOperands(EventState& state);

/// The relation's value by its operands in memory.
[[nodiscard]] bool HoldsNow(const EventState& state, std::size_t relation);

/// True if the operands differ by rounding only.
[[nodiscard]] bool IsTie(const EventState& state, std::size_t relation);

/// True if all relations that differ from their copies in the equations are
/// ties, as for two diodes in series at the end of a current.
[[nodiscard]] bool DisagreeByRounding(EventState& state);

/// Counts a tie that rounding has decided.
/// @returns false if too many follow each other at one time: then it is not
///     rounding that decides.
[[nodiscard]] bool CountTie(EventState& state);

/// True if the operands, in memory, of a relation that changed last are
/// further apart than `allowed` and than rounding.
[[nodiscard]] bool AreOperandsApart(EventState& state, double allowed);

/// The relations that, for the time and states in memory, differ from their
/// values at the last event.
[[nodiscard]] std::vector<std::size_t> ChangedRelations(EventState& state);

/// Takes the values of relations after an event, and notes those that changed.
/// @returns false after an error, told in `outcome`.
bool UpdateTruths(EventState& state, EventOutcome& outcome);

/// The first time in (begin, end] at which a relation changes, by the states'
/// polynomials. Memory is scratch. Precondition: has_relations().
/// @param may_rearm whether relations may re-arm, which is no change then.
/// @returns kNever if there is none.
double FindFirstChange(EventState& state,
                       const DenseOutput& dense,
                       double begin,
                       double end,
                       bool may_rearm = false);

/// As FindFirstChange with re-arming, of the relations that act. Changes
/// nothing: neither truths nor their consequences by re-arming.
/// @param kinks_only looks at kinks alone.
double ForeseeChange(EventState& state,
                     const DenseOutput& dense,
                     double begin,
                     double end,
                     bool kinks_only = false);

/// As ForeseeChange, in the same step, of the kinks that have not changed at
/// `but_at`.
double ForeseeKink(EventState& state,
                   const DenseOutput& dense,
                   double begin,
                   double end,
                   double but_at);

}  // namespace orrery::sim::internal
