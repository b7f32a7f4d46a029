#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/symbolic/tape/tape.h"

namespace orrery::internal {

/// The addresses that an instruction may touch by an index: low ... high.
struct AccessRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
  /// By how much the address moves from pass to pass of the innermost loop
  /// around the instruction.
  std::int64_t stride = 0;

  [[nodiscard]] bool Contains(std::int64_t address) const noexcept {
    return low <= address && address <= high;
  }

  [[nodiscard]] bool Overlaps(const AccessRange& other) const noexcept {
    return low <= other.high && other.low <= high;
  }
};

/// By instruction of `code`; what is neither kLoad nor kStore has an empty one.
[[nodiscard]] std::vector<AccessRange> AccessRangesOf(
    std::span<const Tape::Instruction> code);

}  // namespace orrery::internal
