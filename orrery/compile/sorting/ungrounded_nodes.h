#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Finds the potentials among `unknowns` that are determined only up to a
/// constant: the equations stay true when all of them rise by the same amount.
/// Empty if the equations contain a potential from elsewhere, or a formula that
/// fixes the level.
[[nodiscard]] std::vector<std::uint32_t> FindFloating(
    System& system,
    std::span<const ScalarEquation> equations,
    std::span<const std::uint32_t> unknowns);

}  // namespace orrery::compile::internal
