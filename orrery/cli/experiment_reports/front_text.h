#pragma once

#include <string>

#include "orrery/sdk/reports/optimisation_report.h"

namespace orrery::cli {

/// The points of a front.
[[nodiscard]] std::string TextReport(const StoredFront& report);

}  // namespace orrery::cli
