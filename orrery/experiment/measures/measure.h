#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery {

/// A number, or a truth, that is taken from the results of a run:
///
///     final(x)    max(abs(x)) - 1    integral((y - reference)^2)
///     settling_time(y, 2%)    max(current) < 12 and final(y) > 0.9
///
/// A formula in Modelica's notation, with the elementary functions, over what
/// these say of a run from t0 to t1, where e is a formula over its signals and
/// `time`, and c a condition over them:
///
/// - `final(e)`, `initial(e)`: the last and the first value; a signal that
///   stands alone means its last
/// - `at(e, t)`: the value at time t, after an event there
/// - `max(e)`, `min(e)`: the extremes
/// - `time_of_max(e)`, `time_of_min(e)`: where they are first
/// - `integral(e)`: over time
/// - `mean(e)`, `rms(e)`: integral(e)/(t1 - t0), sqrt(integral(e^2)/(t1 - t0))
/// - `first(c)`: the time from which on c holds for the first time
/// - `duration(c)`: how long it holds, all in all
/// - `count(c)`: how often it begins to hold after t0
/// - `settling_time(e)`, `settling_time(e, band)`,
///   `settling_time(e, band, target)`: how long after t0 e has come to stay
///   within `band` (default 2%) times abs(target - initial(e)) of the target,
///   by default final(e)
/// - `rise_time(e)`: from 10 % to 90 % of the way from initial(e) to final(e)
/// - `overshoot(e)`, `overshoot(e, target)`: by how much e goes beyond the
///   target, by default final(e), as a part of the way to it
///
/// They may be nested: `integral((y - final(y))^2)`. What has no value, as the
/// first time of what never comes, is NaN.
///
/// Booleans of the model are conditions where one is wanted, else 0 or 1.
///
/// Between rows signals are as `Signal::at` says; extremes and crossings are
/// looked for between them too, as closely as the formula moves, integrals are
/// exact for squares of cubics.
/// Immutable; to be used by any number of threads.
class Measure {
 public:
  /// @param signals of the runs that it will be taken of.
  /// @throws Error kInvalidArgument with all that is wrong, shown in the text.
  Measure(const std::string& text, const SignalTable& signals);

  /// As it was given.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Whether it is a truth, 1 or 0.
  [[nodiscard]] bool is_condition() const noexcept;

  /// Its unit where that is the unit of a signal or of time; empty elsewhere.
  [[nodiscard]] const std::string& unit() const noexcept;

  /// The names of the signals in it.
  [[nodiscard]] const std::vector<std::string>& signals() const noexcept;

  /// Whether the last row of a run is all that matters.
  [[nodiscard]] bool needs_last_row_only() const noexcept;

  /// @param run with rows and with these signals.
  [[nodiscard]] double Of(const Trajectory& run) const;

  /// Whether it moves smoothly with a run, so that Gradient can say how: the
  /// times of extremes and what is taken of conditions do not.
  [[nodiscard]] bool is_differentiable() const noexcept;

  /// How it moves with what the run was given.
  /// @param run as `Of`, with signals for how its signals, and the times of its
  ///     rows, move with each of these; see SensitivityName.
  /// @param with the names.
  /// @returns one derivative each.
  [[nodiscard]] std::vector<double> Gradient(
      const Trajectory& run, std::span<const std::string> with) const;

 private:
  struct Content;

  std::string text_;
  std::shared_ptr<const Content> content_;
};

}  // namespace orrery
