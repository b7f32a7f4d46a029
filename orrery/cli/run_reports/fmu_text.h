#pragma once

#include <string>

#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery::cli {

/// Facts and abilities of an FMU, and the variables that one can set or see.
[[nodiscard]] std::string FmuText(const fmi::Fmu& fmu);

}  // namespace orrery::cli
