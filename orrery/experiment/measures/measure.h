#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery {

/// A number or a condition that is computed from the results of a run:
///
///     final(x)    max(abs(x)) - 1    integral((y - reference)^2)
///     settling_time(y, 2%)    max(current) < 12 and final(y) > 0.9
///
/// It is a formula in Modelica's notation, with the elementary functions, over
/// the functionals below. The run lasts from t0 to t1; e is a formula over its
/// signals and `time`, and c a condition over them:
///
/// - `final(e)`, `initial(e)`: the last and the first value; a signal that
///   stands alone means its last value
/// - `at(e, t)`: the value at time t, after an event there
/// - `max(e)`, `min(e)`: the extremes
/// - `time_of_max(e)`, `time_of_min(e)`: the time of the first extreme
/// - `integral(e)`: over time
/// - `mean(e)`, `rms(e)`: integral(e)/(t1 - t0), sqrt(integral(e^2)/(t1 - t0))
/// - `first(c)`: the time from which on c holds for the first time
/// - `duration(c)`: the total time for which c holds
/// - `count(c)`: the number of times that c begins to hold after t0
/// - `settling_time(e)`, `settling_time(e, band)`,
///   `settling_time(e, band, target)`: the time after t0 from which on e stays
///   within `band` (default 2%) times abs(target - initial(e)) of the target,
///   by default final(e)
/// - `rise_time(e)`: from 10 % to 90 % of the way from initial(e) to final(e)
/// - `overshoot(e)`, `overshoot(e, target)`: the excess of e beyond the target,
///   by default final(e), as a fraction of the way to it
///
/// They may be nested: `integral((y - final(y))^2)`. A value that does not
/// exist is NaN, such as the first time of a condition that never holds.
///
/// Booleans of the model are conditions where one is expected, else 0 or 1.
///
/// Between rows, signals are interpolated as by `Signal::at`. Extremes and
/// crossings are also found between rows, as closely as the formula varies.
/// Integrals are exact for squares of cubics. Immutable; any number of threads
/// may use it.
class Measure {
 public:
  /// @param signals of the runs that it is computed from.
  /// @throws Error kInvalidArgument with all mistakes, shown in the text.
  Measure(const std::string& text, const SignalTable& signals);

  /// As it was given.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// True if it is a condition, with the values 1 and 0.
  [[nodiscard]] bool is_condition() const noexcept;

  /// The unit, if it is that of a signal or of time; empty otherwise.
  [[nodiscard]] const std::string& unit() const noexcept;

  /// The names of the signals in it.
  [[nodiscard]] const std::vector<std::string>& signals() const noexcept;

  /// True if only the last row of a run matters.
  [[nodiscard]] bool needs_last_row_only() const noexcept;

  /// @param run with rows and with these signals.
  [[nodiscard]] double Of(const Trajectory& run) const;

  /// True if Gradient can compute its derivatives: it depends smoothly on the
  /// run. The times of extremes and functionals of conditions do not.
  [[nodiscard]] bool is_differentiable() const noexcept;

  /// Computes the derivatives by the varied quantities of the run.
  /// @param run as `Of`, with signals for the derivatives of its signals, and
  ///     of the times of its rows, by each of these; see SensitivityName.
  /// @param with the names of the quantities.
  /// @returns one derivative each.
  [[nodiscard]] std::vector<double> Gradient(
      const Trajectory& run, std::span<const std::string> with) const;

 private:
  struct Content;

  std::string text_;
  std::shared_ptr<const Content> content_;
};

}  // namespace orrery
