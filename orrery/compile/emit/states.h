#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/emit/layout.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// A scalar state, or one in a slice of states.
struct StateElement {
  std::uint32_t scalar = 0;
  std::uint32_t element = 0;  ///< Row-major, of its symbol.
};

/// Returns the states of a run in the program's order: as declared. But where
/// many parts are alike, as in part[1].x, part[1].v, part[2].x, ..., all of
/// their x come first, then all of their v: integrators and native code then
/// pass through each in one sweep.
[[nodiscard]] std::vector<StateElement> StatesOf(const System& system);

/// Finds the states that are positions: their derivatives are other states, as
/// aliases or by one of `equations` that copies a state.
/// @returns by state, 1 for a position, else 0.
[[nodiscard]] std::vector<std::uint8_t> FindPositions(
    const System& system,
    const Layout& layout,
    std::span<const SortedEquation> equations,
    std::span<const StateElement> states);

}  // namespace orrery::compile::internal
