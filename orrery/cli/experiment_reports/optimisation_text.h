#pragma once

#include <string>

#include "orrery/sdk/reports/optimisation_report.h"

namespace orrery::cli {

/// The optimum, with its constraints and the ends of the searches.
[[nodiscard]] std::string TextReport(const StoredOptimisation& report);

/// The text of a JSON report.
/// @param json the output of JsonReport.
[[nodiscard]] std::string OptimisationText(const std::string& json);

}  // namespace orrery::cli
