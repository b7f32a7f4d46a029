#pragma once

#include <concepts>

#include "orrery/base/files/state_stream.h"

namespace orrery {

/// Writes or reads a count, which stays far from the ends of its type: no later
/// sum overflows.
template <std::signed_integral T>
void TransferCount(StateStream& stream, T& count) {
  constexpr T kMost = T{1} << (sizeof(T) * 8 - 12);
  stream.Number(count);
  stream.Expect(count > -kMost && count < kMost, "a count beyond all measure");
}

}  // namespace orrery
