#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/calibration/calibration.h"
#include "orrery/experiment/calibration/least_squares_fit.h"
#include "orrery/experiment/design/search_space.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery {

/// The full definition of a calibration: estimates of parameters from measured
/// data. Plain data, and a text in JSON.
struct CalibrationDocument {
  RunDocument run;  ///< The part that all runs share.

  /// NAME=BOUNDS of parameters and start values; see ParseFactors.
  std::vector<std::string> vary;

  /// The measurements, one text for each run: FILE[, NAME=VALUE]... FILE is a
  /// CSV file with a column `time` (otherwise the first column is the time).
  /// The settings apply to this run only; `input=FILE` gives it its own inputs.
  /// If `vary` has a LABEL, NAME=LABEL sets the estimate of that name: in this
  /// run only, or in all runs that name it. Missing values are left out.
  std::vector<std::string> data;

  /// SIGNAL=COLUMN; empty: the columns with the names of signals.
  std::vector<std::string> match;

  /// [SIGNAL=]SIGMA: the standard deviation of the values of a signal, or of
  /// all signals. SIGMA is a number; a fraction of the value, as 5%; or a
  /// column. The default is 1.
  std::vector<std::string> sigma;

  bool is_log = false;  ///< See CalibrationOptions.
  FitOptions fit;
};

/// A calibration that is ready to run.
struct LoadedCalibration {
  std::string model;
  SearchSpace space;
  std::vector<std::string> units;  ///< Units of the varied quantities.
  Calibration calibration;
  std::vector<std::string> warnings;  ///< Measurements that are not used.
};

/// Reads the model and the data. Runs end with the data, unless the document
/// has a stop time.
/// @throws Error as LoadSubject, SearchSpace and Calibration do; kIo for a file
///     that cannot be read; kInvalidArgument for missing columns or signals,
///     and data outside of the time of the run.
[[nodiscard]] LoadedCalibration LoadCalibration(
    const CalibrationDocument& document);

/// Returns the estimates as settings of run `i`, by the names of the model.
[[nodiscard]] std::vector<ParameterText> EstimatesIn(
    const CalibrationDocument& document,
    std::size_t i,
    std::span<const ParameterEstimate> estimates);

/// True if some estimates do not apply to all runs.
[[nodiscard]] bool HasLabels(const CalibrationDocument& document);

/// Returns the run of data `i` with the estimates; it also has rows at the
/// times of the data.
[[nodiscard]] RunDocument FittedRun(
    const CalibrationDocument& document,
    const LoadedCalibration& loaded,
    std::size_t i,
    std::span<const ParameterEstimate> estimates);

/// Writes JSON; members with their defaults are left out.
[[nodiscard]] std::string ToJson(const CalibrationDocument& document);

/// Reads the output of ToJson.
/// @throws Error as RunDocumentFromJson.
[[nodiscard]] CalibrationDocument CalibrationDocumentFromJson(
    const std::string& text);

}  // namespace orrery
