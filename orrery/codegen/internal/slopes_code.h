#pragma once

#include <optional>

#include "orrery/codegen/internal/roll_up.h"
#include "orrery/program/program.h"

namespace orrery::internal {

/// The derivatives of a program's states as one code, which reads the states in
/// `kStateRegion` and leaves the derivatives in `kSlopeRegion`, and nothing
/// else for certain.
/// @returns nothing for a program that has to solve algebraic loops for them,
///     or whose arrays of states are not in memory as the states are.
[[nodiscard]] std::optional<TapeCode> SlopesCode(const Program& program);

}  // namespace orrery::internal
