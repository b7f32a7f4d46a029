#pragma once

#include "orrery/cli/internal/calibration_reports.h"
#include "orrery/cli/internal/requests.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {

/// What is saved of a calibration.
/// @throws Error kInvalidArgument if it has no results.
[[nodiscard]] CalibrationReport ReadCalibration(ExperimentStore& store,
                                                const ExperimentRecord& record);

/// Draws what the command asks for.
void Draw(const RunCommand& command,
          const PlotSpec& plot,
          const CalibrationReport& report);

}  // namespace orrery::cli
