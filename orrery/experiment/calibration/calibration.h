#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/calibration/least_squares_fit.h"
#include "orrery/experiment/design/search_space.h"
#include "orrery/experiment/runs/subject.h"

namespace orrery {

/// What was measured of one signal. Plain data.
struct MeasuredSignal {
  std::string name;                ///< Of the signal of the model.
  std::vector<double> times;       ///< [s] In any order.
  std::vector<double> values;      ///< As many.
  std::vector<double> deviations;  ///< Standard, of each, to a factor; > 0.
};

/// A quantity of a model that varies, and what of a search space it is. Plain
/// data.
struct VariedQuantity {
  std::string name;       ///< In the model.
  std::size_t index = 0;  ///< In the space.
};

/// One run of what is modelled, as it was measured.
struct MeasuredRun {
  std::string name;  ///< In messages: that of the file.
  /// The model under the conditions of that run. Its runs should have rows at
  /// the times of the measurements: between rows signals are interpolated.
  std::shared_ptr<const Subject> subject;
  std::vector<MeasuredSignal> signals;
  /// What varies in this run; empty: the whole space, by its names.
  std::vector<VariedQuantity> varied;
};

/// What is made small. Plain data.
struct CalibrationOptions {
  /// Whether ln(measured) - ln(computed), not their difference: errors are in
  /// proportion to the values.
  bool is_log = false;
  /// With which the runs are computed, as their tolerance says.
  double relative_error = 1e-6;
  std::uint64_t seed = 1;  ///< Of the runs, all alike.

  friend bool operator==(const CalibrationOptions&,
                         const CalibrationOptions&) = default;
};

/// The estimation of parameters, and of start values, of a model from what was
/// measured in one or several runs of what it models: a residual, divided by
/// its standard deviation, for each measured value, with groups by signal.
/// Immutable; to be used by any number of threads.
class Calibration {
 public:
  /// @throws Error kInvalidArgument for a name that cannot vary, a signal that
  ///     is not there, a deviation that is not above 0, values that have no
  ///     logarithm, and if nothing was measured.
  Calibration(const SearchSpace& space,
              std::vector<MeasuredRun> runs,
              const CalibrationOptions& options);

  /// The same with another subject for each run.
  [[nodiscard]] Calibration With(const SubjectStandIn& stand_in) const;

  /// By the order of the runs, of their signals and of the values.
  /// The derivatives are exact if runs of all models can tell them.
  /// @param goes_on ends runs that are at work.
  [[nodiscard]] ResidualFunction Residuals(const GoesOn& goes_on = {}) const;

  [[nodiscard]] const std::vector<MeasuredRun>& runs() const noexcept;

  /// The signals that were measured, by group.
  [[nodiscard]] const std::vector<std::string>& signals() const noexcept;

  /// The computed values in the order of the residuals.
  /// @param values of what varies.
  /// @throws Error kInvalidModel if the model does not run there.
  [[nodiscard]] std::vector<double> Computed(
      std::span<const double> values) const;

 private:
  class Content;

  explicit Calibration(std::shared_ptr<const Content> content);

  std::shared_ptr<const Content> content_;
};

}  // namespace orrery
