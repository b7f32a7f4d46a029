#pragma once

#include <optional>

#include "orrery/codegen/internal/roll_up.h"
#include "orrery/program/program.h"

namespace orrery::internal {

/// The derivatives of a program's states as one code, which reads the states in
/// `kStateRegion` and leaves the derivatives in `kSlopeRegion`, and nothing
/// else for certain.
/// Where a loop reads from `memory` what is held between events, and that is
/// the same for all its passes, the code takes it for the same always.
/// @param uniform lists what the code relies on.
/// @returns nothing for a program that has to solve algebraic loops for them,
///     or whose arrays of states are not in memory as the states are.
[[nodiscard]] std::optional<TapeCode> SlopesCode(
    const Program& program,
    std::span<const double> memory,
    std::vector<UniformNumbers>& uniform);

/// Whether the code reads the number in slot `slot`, which is no part of an
/// array.
[[nodiscard]] bool Reads(std::span<const Tape::Instruction> code,
                         std::uint32_t slot);

}  // namespace orrery::internal
