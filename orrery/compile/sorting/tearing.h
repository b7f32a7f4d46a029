#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/solve.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Chooses the torn unknowns of a loop. An equation with one unknown left gives
/// that unknown; when there is none, the unknown in most open equations is
/// torn. The result has no residuals yet, and `is_linear` is not set.
/// Source: Cellier and Kofman, Continuous System Simulation, section 7.9.
/// @param equations as many as `unknowns`.
/// @param preferred by scalar: unknowns that are torn before any others.
[[nodiscard]] AlgebraicLoop Tear(System& system,
                                 Solver& solver,
                                 std::span<const ScalarEquation> equations,
                                 std::span<const std::uint32_t> unknowns,
                                 const std::vector<bool>& preferred = {});

}  // namespace orrery::compile::internal
