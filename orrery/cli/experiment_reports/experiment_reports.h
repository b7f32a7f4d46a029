#pragma once

#include <string>
#include <vector>

#include "orrery/sdk/experiments.h"
#include "orrery/sdk/reports/many_runs_report.h"  // IWYU pragma: export

namespace orrery::cli {

/// The course of the runs; the table if it is short, otherwise statistics of
/// its columns; the reasons why runs failed.
[[nodiscard]] std::string TextReport(const ManyRunsReport& report);

/// The results of a sensitivity analysis.
[[nodiscard]] std::string SensitivityText(
    const std::vector<NumberSensitivity>& sensitivities);

}  // namespace orrery::cli
