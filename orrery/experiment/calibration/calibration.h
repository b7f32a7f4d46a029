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

/// The measurements of one signal. Plain data.
struct MeasuredSignal {
  std::string name;                ///< The name of the signal in the model.
  std::vector<double> times;       ///< [s] In any order.
  std::vector<double> values;      ///< As many as times.
  std::vector<double> deviations;  ///< Standard deviation of each value, up to
                                   ///< a common factor; > 0.
};

/// A quantity of a model that varies, and its place in the search space. Plain
/// data.
struct VariedQuantity {
  std::string name;       ///< The name in the model.
  std::size_t index = 0;  ///< The index in the space.
};

/// A run of the real system, with its measurements.
struct MeasuredRun {
  std::string name;  ///< The name in messages: that of the file.
  /// The model under the conditions of the run. Its runs should have rows at
  /// the times of the measurements: between rows, signals are interpolated.
  std::shared_ptr<const Subject> subject;
  std::vector<MeasuredSignal> signals;
  /// The quantities that vary in this run. Empty: the whole space, by its
  /// names.
  std::vector<VariedQuantity> varied;
};

/// The definition of the residuals. Plain data.
struct CalibrationOptions {
  /// True for residuals ln(measured) - ln(computed) instead of differences:
  /// errors are then proportional to the values.
  bool is_log = false;
  /// The relative error of the computed runs, by their tolerance.
  double relative_error = 1e-6;
  std::uint64_t seed = 1;  ///< The seed of all runs.

  friend bool operator==(const CalibrationOptions&,
                         const CalibrationOptions&) = default;
};

/// The estimation of parameters and start values of a model from measurements
/// of one or several runs. There is one residual for each measured value,
/// divided by its standard deviation. The group of a residual is its signal.
/// Immutable; any number of threads may use it.
class Calibration {
 public:
  /// @throws Error kInvalidArgument for a name that cannot vary, a signal that
  ///     is not there, a deviation that is not above 0, values that have no
  ///     logarithm, and if nothing was measured.
  Calibration(const SearchSpace& space,
              std::vector<MeasuredRun> runs,
              const CalibrationOptions& options);

  /// Returns the same calibration with another subject for each run.
  [[nodiscard]] Calibration With(const SubjectStandIn& stand_in) const;

  /// Returns the residuals, in the order of the runs, of their signals and of
  /// the values. The derivatives are exact if the runs of all models provide
  /// them.
  /// @param goes_on stops runs in progress when it returns false.
  [[nodiscard]] ResidualFunction Residuals(const GoesOn& goes_on = {}) const;

  [[nodiscard]] const std::vector<MeasuredRun>& runs() const noexcept;

  /// The measured signals, by group.
  [[nodiscard]] const std::vector<std::string>& signals() const noexcept;

  /// The computed values in the order of the residuals.
  /// @param values of the varied quantities.
  /// @throws Error kInvalidModel if the model does not run with these values.
  [[nodiscard]] std::vector<double> Computed(
      std::span<const double> values) const;

 private:
  class Content;

  explicit Calibration(std::shared_ptr<const Content> content);

  std::shared_ptr<const Content> content_;
};

}  // namespace orrery
