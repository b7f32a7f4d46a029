#pragma once

#include <cstdint>

#include "orrery/symbolic/tape/tape.h"

namespace orrery::codegen::internal {

/// The region of an address, in code to be compiled. Addresses below
/// `kLocalRegion` are the tape's memory.
inline constexpr std::uint32_t kLocalRegion = 0x40000000;  ///< No memory.
inline constexpr std::uint32_t kStateRegion = 0x80000000;  ///< x
inline constexpr std::uint32_t kSlopeRegion = 0xc0000000;  ///< dx/dt
inline constexpr std::uint32_t kRegionOfAddress = 0xc0000000;

/// The distance of the instruction's jump, 0 if it is none.
[[nodiscard]] constexpr std::int64_t JumpOf(
    const Tape::Instruction& i) noexcept {
  switch (i.op) {
    case TapeOp::kJump:
      return static_cast<std::int32_t>(i.a);
    case TapeOp::kJumpUnless:
    case TapeOp::kNext:
      return static_cast<std::int32_t>(i.b);
    default:
      return 0;
  }
}

}  // namespace orrery::codegen::internal
