#pragma once

#include <string>
#include <vector>

#include "orrery/program/program.h"

namespace orrery::internal {

/// The names of all scalars of a program.
[[nodiscard]] std::vector<std::string> AllQuantities(const Program& program);

/// What is shown of a program if nobody says what: its outputs, without any its
/// states, without these all that moves.
[[nodiscard]] std::vector<std::string> ShownQuantities(const Program& program);

}  // namespace orrery::internal
