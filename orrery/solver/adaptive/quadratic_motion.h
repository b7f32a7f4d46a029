#pragma once

#include <memory>

#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::solver::internal {

/// Greatest `OdeProblem::degree()` for `MakeQuadraticMotion`.
inline constexpr int kQuadratic = 2;

/// Integrates motions that are parabolas in time, such as a free fall. The
/// midpoint rule is exact for them whatever the step, and so is its dense
/// output of degree 2. Steps are as long as they may be, except the first ones
/// after a restart: events that follow each other ever faster must not be lost
/// in rounding.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeQuadraticMotion(
    OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::solver::internal
