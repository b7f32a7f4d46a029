#pragma once

#include <string>

#include "orrery/sdk/reports/calibration_report.h"  // IWYU pragma: export

namespace orrery::cli {

/// The estimates with their errors and correlations, the residuals of the data,
/// and the findings that make the estimates doubtful.
[[nodiscard]] std::string TextReport(const CalibrationReport& report);

}  // namespace orrery::cli
