#pragma once

#include <optional>

#include "orrery/program/program.h"

namespace orrery::compile::internal {

/// See `Program::degree_of_motion`.
[[nodiscard]] std::optional<int> DegreeOfMotion(const Program& program);

}  // namespace orrery::compile::internal
