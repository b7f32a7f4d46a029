#pragma once

#include <string>

#include "orrery/sdk/reports/many_runs_report.h"

namespace orrery::cli {

/// The course of the runs; the table if it is short, otherwise statistics of
/// its columns; the reasons why runs failed.
[[nodiscard]] std::string TextReport(const ManyRunsReport& report);

}  // namespace orrery::cli
