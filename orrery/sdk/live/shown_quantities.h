#pragma once

#include <string>
#include <vector>

#include "orrery/program/program.h"

namespace orrery::sdk::internal {

/// The names of all scalars of a program.
[[nodiscard]] std::vector<std::string> AllQuantities(const Program& program);

/// The quantities of a program that are published by default: its outputs; if
/// there are none, its states; if there are none, all variables that are not
/// constant.
[[nodiscard]] std::vector<std::string> ShownQuantities(const Program& program);

}  // namespace orrery::sdk::internal
