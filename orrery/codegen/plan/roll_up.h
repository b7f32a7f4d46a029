#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "orrery/program/native_code.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::codegen::internal {

using TapeCode = std::vector<Tape::Instruction>;

/// Tells whether the value that a code leaves at an address is wanted.
using IsWanted = std::function<bool(std::uint32_t)>;

/// The code without instructions that do not contribute to wanted values, as
/// far as that is seen: branches, loops and all code before them stay.
[[nodiscard]] TapeCode DropUnused(std::span<const Tape::Instruction> code,
                                  const IsWanted& is_wanted);

/// The same code with long repetitions as loops: the same operations over and
/// over, on addresses that move by the same distances. The order of the
/// computations stays. Models of many equal parts give such code. Its
/// compilation takes a time that does not depend on their number, and the parts
/// are computed in the lanes of vectors.
///
/// Values that passes leave to each other, or to nobody, are in the local
/// region.
///
/// @param takes_for_uniform whether the code may take these numbers, one for
///     each pass, to be equal. It then reads the first only, also in
///     repetitions that are too short for a loop.
[[nodiscard]] TapeCode RollUp(
    std::span<const Tape::Instruction> code,
    const IsWanted& is_wanted,
    const std::function<bool(const UniformNumbers&)>& takes_for_uniform = {});

}  // namespace orrery::codegen::internal
