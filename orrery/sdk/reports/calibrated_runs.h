#pragma once

#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/sdk/experiments/calibration_document.h"
#include "orrery/sdk/reports/calibration_report.h"

namespace orrery {

/// Warnings about the inputs of the measured runs, each once.
[[nodiscard]] std::vector<Diagnostic> InputWarnings(
    const LoadedCalibration& loaded);

/// The report on a fit, with the runs at its estimates, unless there are none
/// or it was interrupted: who stops a search does not wait for runs either.
/// Its time, `run_ms`, is left at 0.
[[nodiscard]] CalibrationReport ReportOn(const CalibrationDocument& document,
                                         const LoadedCalibration& loaded,
                                         LeastSquaresFit fit);

}  // namespace orrery
