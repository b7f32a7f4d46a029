#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "orrery/program/native_code.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::internal {

using TapeCode = std::vector<Tape::Instruction>;

/// Whether what a code leaves at an address is wanted.
using IsWanted = std::function<bool(std::uint32_t)>;

/// The code without what does not serve to leave what is wanted, as far as that
/// is seen: branches and loops, and what comes before them, stay.
[[nodiscard]] TapeCode DropUnused(std::span<const Tape::Instruction> code,
                                  const IsWanted& is_wanted);

/// The same code with long repetitions as loops: where the same operations
/// follow each other again and again, on addresses that move by the same
/// distances. All is computed in the order in which it was. Models of many
/// equal parts are such code: it is compiled in a time that does not depend on
/// how many there are, and their parts are computed in the lanes of vectors.
///
/// What the passes of a loop leave to each other, or for nobody, is in the
/// local region.
///
/// @param takes_for_uniform whether the code may take these numbers, of which
///     each pass reads one, to be the same: it reads the first only, also of
///     repetitions that are too short for a loop.
[[nodiscard]] TapeCode RollUp(
    std::span<const Tape::Instruction> code,
    const IsWanted& is_wanted,
    const std::function<bool(const UniformNumbers&)>& takes_for_uniform = {});

}  // namespace orrery::internal
