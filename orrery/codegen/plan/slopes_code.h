#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/codegen/plan/roll_up.h"
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

/// The addresses in memory that the code may read, ascending; those of
/// constants that stand by themselves left out or not.
[[nodiscard]] std::vector<SlotRange> SlotsRead(
    std::span<const Tape::Instruction> code);

/// Whether the code does the same for all numbers: without branches, calls and
/// indices computed from numbers.
[[nodiscard]] bool GoesInLanes(std::span<const Tape::Instruction> code);

}  // namespace orrery::internal
