#pragma once

#include <string>
#include <vector>

#include "orrery/sdk/experiments/sensitivity_analysis.h"

namespace orrery::cli {

/// The results of a sensitivity analysis.
[[nodiscard]] std::string SensitivityText(
    const std::vector<NumberSensitivity>& sensitivities);

}  // namespace orrery::cli
