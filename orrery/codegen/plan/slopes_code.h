#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/codegen/plan/roll_up.h"
#include "orrery/program/program.h"

namespace orrery::codegen::internal {

/// The derivatives of a program's states as one code. It reads the states in
/// `kStateRegion` and leaves the derivatives in `kSlopeRegion`; nothing else is
/// certain. If a loop reads held values from `memory` that are equal for all
/// its passes, the code takes them for equal always.
/// @param uniform lists the numbers that the code relies on.
/// @returns none for a program with delays, or with algebraic loops to solve
///     for the derivatives, or whose arrays of states are not in memory in the
///     order of the states.
[[nodiscard]] std::optional<TapeCode> SlopesCode(
    const Program& program,
    std::span<const double> memory,
    std::vector<UniformNumbers>& uniform);

/// The addresses in memory that the code may read, ascending. Those of single
/// constants may be missing.
[[nodiscard]] std::vector<SlotRange> SlotsRead(
    std::span<const Tape::Instruction> code);

/// True if the code does the same for all numbers: without branches, calls and
/// indices computed from numbers.
[[nodiscard]] bool GoesInLanes(std::span<const Tape::Instruction> code);

}  // namespace orrery::codegen::internal
