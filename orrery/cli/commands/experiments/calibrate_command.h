#pragma once

#include "orrery/cli/experiment_reports/calibration_text.h"
#include "orrery/cli/request/requests.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {

/// The saved results of a calibration.
/// @throws Error kInvalidArgument if it has no results.
[[nodiscard]] CalibrationReport ReadCalibration(ExperimentStore& store,
                                                const ExperimentRecord& record);

/// Draws what the command asks for.
void Draw(const RunCommand& command,
          const PlotSpec& plot,
          const CalibrationReport& report);

/// Estimates parameters of a model from measured data and reports.
/// @returns the exit code: kModelFailed unless the search has converged.
int Calibrate(const CalibrateCommand& asked);

}  // namespace orrery::cli
