#pragma once

#include <cstdint>
#include <span>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/solve.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Chooses the torn unknowns of a loop. An equation with one unknown left gives
/// that unknown; when there is none, the unknown in most open equations is
/// torn. The result has no residuals yet, and `is_linear` is not set.
/// Source: Cellier and Kofman, Continuous System Simulation, section 7.9.
/// @param equations as many as `unknowns`.
[[nodiscard]] AlgebraicLoop Tear(System& system,
                                 Solver& solver,
                                 std::span<const ScalarEquation> equations,
                                 std::span<const std::uint32_t> unknowns);

}  // namespace orrery::compile::internal
