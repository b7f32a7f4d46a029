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

/// All that determines a calibration: estimates of parameters from measured
/// data. Plain data, and a text in JSON.
struct CalibrationDocument {
  RunDocument run;  ///< What the runs have in common.

  /// NAME=BOUNDS of parameters and start values; see ParseFactors.
  std::vector<std::string> vary;

  /// What was measured, a run each: FILE[, NAME=VALUE]..., a CSV file with a
  /// column `time` (else the first column is the time) and what is set in this
  /// run; `input=FILE` gives it inputs of its own. NAME=LABEL, where `vary` has
  /// a LABEL, sets what is estimated under that name: in this run alone, or in
  /// all that name it. Missing values are left out.
  std::vector<std::string> data;

  /// SIGNAL=COLUMN; empty: the columns that are called as signals.
  std::vector<std::string> match;

  /// [SIGNAL=]SIGMA: the standard deviation of the values of a signal, or of
  /// all: a number; in proportion to the value, as 5%; or a column. 1 for what
  /// is not named.
  std::vector<std::string> sigma;

  bool is_log = false;  ///< See CalibrationOptions.
  FitOptions fit;
};

/// A calibration that is ready to be carried out.
struct LoadedCalibration {
  std::string model;
  SearchSpace space;
  std::vector<std::string> units;  ///< Of what varies.
  Calibration calibration;
  std::vector<std::string> warnings;  ///< What was measured and is not used.
};

/// Reads the model and the data. Runs end with the data unless the document
/// says when.
/// @throws Error as LoadSubject, SearchSpace and Calibration do; kIo for a file
///     that cannot be read; kInvalidArgument for columns or signals that are
///     not there, and data of another time than the run.
[[nodiscard]] LoadedCalibration LoadCalibration(
    const CalibrationDocument& document);

/// What was estimated, as run `i` sets it: by the names of the model.
[[nodiscard]] std::vector<ParameterText> EstimatesIn(
    const CalibrationDocument& document,
    std::size_t i,
    std::span<const ParameterEstimate> estimates);

/// Whether what is estimated is not the same in all runs.
[[nodiscard]] bool HasLabels(const CalibrationDocument& document);

/// The run of data `i` with what was estimated; with rows at the times of the
/// data, too.
[[nodiscard]] RunDocument FittedRun(
    const CalibrationDocument& document,
    const LoadedCalibration& loaded,
    std::size_t i,
    std::span<const ParameterEstimate> estimates);

/// As JSON; what has its default is left out.
[[nodiscard]] std::string ToJson(const CalibrationDocument& document);

/// What ToJson has written.
/// @throws Error as RunDocumentFromJson.
[[nodiscard]] CalibrationDocument CalibrationDocumentFromJson(
    const std::string& text);

}  // namespace orrery
