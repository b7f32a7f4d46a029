#pragma once

#include <concepts>
#include <optional>

#include "orrery/base/time.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// The requirements on a type of cells: a state that effects act on.
///
/// Effects compose in two ways, with one unit, `Empty`. `Sequentially` composes
/// an effect and a later one; it is associative. `Concurrently` composes
/// effects of tasks that did not see each other; it is associative and
/// commutative, so that no result depends on the order of execution. To apply a
/// sequence is to apply its parts in turn. `CheckLaws` (laws.h) tests a type
/// for all of this.
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
/// The types of the library (cells/*.h) have a static function for each effect
/// that users emit, as `Register<int>::Setting(5)`. It is named after the
/// function of the cell that emits the effect: Setting for Set, Adding for Add.
///
/// A type may also have:
/// - `void Step(Duration dt)`, if it changes as time passes. Steps add up: two
///   in a row are one of their sum, to the last bit.
/// - `std::optional<Duration> Expiry() const`, the time for which the
///   observable state stays constant, above zero; none: until the next effect.
/// - `Polynomial Dynamics() const`, if the value is a number: its course from
///   now until the next effect or the expiry.
/// - `bool HasConflict() const`, true if the last effects contradicted each
///   other; the run then warns.
/// - `std::string ConflictText() const`, the text of that warning.
/// - `Undo Before(const Effect&) const` and `void Revert(Undo)`, for large
///   states. Before returns the data to undo an effect that is about to be
///   applied; Revert undoes it, the last effect first. Without them a run
///   copies the state when a step, which may throw, reads its own effects.
template <typename C>
concept CellType = std::copyable<C> && std::copyable<typename C::Effect> &&
    requires(C& state, const C& seen, const typename C::Effect& effect) {
  { C::Empty() } -> std::same_as<typename C::Effect>;
  { C::Sequentially(effect, effect) } -> std::same_as<typename C::Effect>;
  { C::Concurrently(effect, effect) } -> std::same_as<typename C::Effect>;
  state.Apply(effect);
  seen.Value();
};

/// Types whose state changes with time.
template <typename C>
concept StepsInTime = CellType<C> && requires(C& state, Duration dt) {
  state.Step(dt);
};

/// Types whose observable state may change without an effect.
template <typename C>
concept Expires = CellType<C> && requires(const C& state) {
  { state.Expiry() } -> std::same_as<std::optional<Duration>>;
};

/// Types that undo effects without a copy of the state.
template <typename C>
concept Reverts = CellType<C> && requires(C& state,
                                          const C& seen,
                                          const typename C::Effect& effect,
                                          typename C::Undo undo) {
  { seen.Before(effect) } -> std::same_as<typename C::Undo>;
  state.Revert(undo);
};

/// Types whose value is a polynomial of time.
template <typename C>
concept HasDynamics = CellType<C> && requires(const C& state) {
  { state.Dynamics() } -> std::convertible_to<Polynomial>;
};

}  // namespace orrery::process
