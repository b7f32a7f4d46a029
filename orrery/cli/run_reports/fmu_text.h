#pragma once

#include <cstdint>
#include <string>

#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery::cli {

/// Facts and abilities of an FMU, and the variables that one can set or see.
[[nodiscard]] std::string FmuText(const fmi::Fmu& fmu);

/// What an FMU is, in a line: "FMI 3.0, Model Exchange and Co-Simulation, 5
/// variables, 2.7 MB". The time is not counted.
/// @param size of its file, in bytes.
[[nodiscard]] std::string FmuLine(const fmi::Fmu& fmu, std::uintmax_t size);

}  // namespace orrery::cli
