#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/symbolic/tape/tape.h"

namespace orrery::codegen::internal {

/// The addresses that an indexed access may touch: low ... high.
struct AccessRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
  /// Change of the address per pass of the innermost loop around it.
  std::int64_t stride = 0;

  [[nodiscard]] bool Contains(std::int64_t address) const noexcept {
    return low <= address && address <= high;
  }

  [[nodiscard]] bool Overlaps(const AccessRange& other) const noexcept {
    return low <= other.high && other.low <= high;
  }
};

/// By instruction of `code`; empty for all but kLoad and kStore.
[[nodiscard]] std::vector<AccessRange> AccessRangesOf(
    std::span<const Tape::Instruction> code);

}  // namespace orrery::codegen::internal
