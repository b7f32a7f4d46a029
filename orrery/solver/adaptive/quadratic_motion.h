#pragma once

#include <memory>

#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::internal {

/// The most that `OdeProblem::degree()` may be for `MakeQuadraticMotion`.
inline constexpr int kQuadratic = 2;

/// Integrates what moves along parabolas in time, as what falls: the midpoint
/// rule is exact there whatever the step, and so is its dense output of degree
/// 2. Steps are as long as they may be, but for the first ones after a restart:
/// events that follow each other ever faster must not be lost in rounding.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeQuadraticMotion(
    OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::internal
