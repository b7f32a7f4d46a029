#pragma once

#include <string>

#include "orrery/sdk/reports/model_report.h"  // IWYU pragma: export

namespace orrery::cli {

/// The dependencies as text: a matrix and its closure if they are small enough
/// to read, otherwise a line for each unknown; then the loops.
[[nodiscard]] std::string DependenciesAsText(const Dependencies& dependencies);

}  // namespace orrery::cli
