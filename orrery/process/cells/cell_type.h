#pragma once

#include <concepts>
#include <optional>

#include "orrery/base/time.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// What a type must be for cells to hold it: a state that effects act on.
///
/// Effects compose in two ways, with one unit, `Empty`: `Sequentially`, one
/// after the other, which is associative; and `Concurrently`, of tasks that did
/// not see each other, which is associative and commutative, so that nothing
/// depends on an order that nobody chose. To apply a sequence is to apply its
/// parts in turn. `CheckLaws` (laws.h) tests a type for all of this.
///
///     struct Peak {                          // the greatest number seen
///       using Effect = double;
///       double peak = -1e300;
///
///       static Effect Empty() { return -1e300; }
///       static Effect Sequentially(Effect a, Effect b) { return max(a, b); }
///       static Effect Concurrently(Effect a, Effect b) { return max(a, b); }
///       void Apply(Effect e) { peak = max(peak, e); }
///       double Value() const { return peak; }
///     };
///
/// The types of the library (cells/*.h) make the effects that users emit by
/// static functions, named by the verb of a cell that emits them: Setting of
/// Set, Adding of Add, as in `Register<int>::Setting(5)`.
///
/// A type may have more:
/// - `void Step(Duration dt)`, if it changes as time passes. Steps add up: two
///   in a row are one of their sum, to the last bit.
/// - `std::optional<Duration> Expiry() const`, how long what can be observed
///   stays as it is; none: until the next effect. Above zero.
/// - `Polynomial Dynamics() const`, if the value is a number: how it goes on
///   from now until the next effect or the expiry.
/// - `bool HasConflict() const`, whether the last effects contradicted each
///   other; a run warns of it,
/// - `std::string ConflictText() const`, in words of the type.
/// - `Undo Before(const Effect&) const` and `void Revert(Undo)`, if the state
///   may be large: what takes back an effect that is about to be applied, and
///   takes it back, the last one first. Without them a run copies the state
///   where a step, which may throw, reads its own effects.
template <typename C>
concept CellType = std::copyable<C> && std::copyable<typename C::Effect> &&
    requires(C& state, const C& seen, const typename C::Effect& effect) {
  { C::Empty() } -> std::same_as<typename C::Effect>;
  { C::Sequentially(effect, effect) } -> std::same_as<typename C::Effect>;
  { C::Concurrently(effect, effect) } -> std::same_as<typename C::Effect>;
  state.Apply(effect);
  seen.Value();
};

/// Types that change as time passes.
template <typename C>
concept StepsInTime = CellType<C> && requires(C& state, Duration dt) {
  state.Step(dt);
};

/// Types whose observations may end by themselves.
template <typename C>
concept Expires = CellType<C> && requires(const C& state) {
  { state.Expiry() } -> std::same_as<std::optional<Duration>>;
};

/// Types that take effects back without a copy of the state before them.
template <typename C>
concept Reverts = CellType<C> && requires(C& state,
                                          const C& seen,
                                          const typename C::Effect& effect,
                                          typename C::Undo undo) {
  { seen.Before(effect) } -> std::same_as<typename C::Undo>;
  state.Revert(undo);
};

/// Types whose value goes on as a curve.
template <typename C>
concept HasDynamics = CellType<C> && requires(const C& state) {
  { state.Dynamics() } -> std::convertible_to<Polynomial>;
};

}  // namespace orrery::process
