#pragma once

#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/plot/figure.h"
#include "orrery/plot/plot_spec.h"
#include "orrery/results/trajectory.h"
#include "orrery/sdk/experiments/calibration_document.h"
#include "orrery/store/store.h"

namespace orrery {

/// The measured and the computed values of a signal.
struct CalibratedSignal {
  std::string name;
  std::string unit;
  std::vector<double> times;
  std::vector<double> measured;
  std::vector<double> computed;
  std::vector<double> residuals;  ///< In standard deviations, or of logarithms.
};

/// One run of the calibrated model, with the measurements.
struct CalibratedRun {
  std::string data;  ///< The file.
  std::vector<CalibratedSignal> signals;
  Trajectory trajectory;  ///< Not in JSON.
};

/// The contents of a report on a calibration.
struct CalibrationReport {
  std::string model;
  std::vector<std::string> units;  ///< Units of the parameters.
  LeastSquaresFit fit;
  std::vector<CalibratedRun> runs;  ///< Empty if there are no estimates.
  double run_ms = 0;
  std::vector<Diagnostic> warnings = {};  ///< Warnings of the runs at the
                                          ///< estimates.
};

/// The report of a calibration.
[[nodiscard]] std::string JsonReport(const CalibrationReport& report);

/// Reads the output of JsonReport, without the trajectories.
/// @throws Error kIo if it is no JSON: it was stored, and is damaged.
[[nodiscard]] CalibrationReport CalibrationReportFromJson(
    const std::string& text);

/// A calibration in a store, with its trajectories.
/// @throws Error as CalibrationReportFromJson.
[[nodiscard]] CalibrationReport StoredCalibration(
    ExperimentStore& store, const ExperimentRecord& record);

/// Finds out before the fit whether that can be plotted: signals over the time
/// or over each other, with what was measured of them as dots; `residual(x)`
/// of a measured signal x.
/// @throws Error kInvalidArgument that suggests the nearest name.
void CheckCalibrationPlot(const PlotSpec& spec,
                          const SignalTable& signals,
                          const std::vector<std::string>& measured);

/// The figure that `spec` requests, with all runs.
[[nodiscard]] Figure CalibrationFigure(const PlotSpec& spec,
                                       const CalibrationReport& report);

}  // namespace orrery
