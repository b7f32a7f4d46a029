#pragma once

#include <memory>

#include "orrery/solver/adaptive/adaptive_step.h"

namespace orrery::solver::internal {

/// Dormand-Prince 5(4) with PI step size control.
[[nodiscard]] std::unique_ptr<AdaptiveStepIntegrator> MakeDormandPrince5(
    OdeProblem& problem, const SolverOptions& options);

/// Dormand-Prince 8(5,3).
[[nodiscard]] std::unique_ptr<AdaptiveStepIntegrator> MakeDormandPrince8(
    OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::solver::internal
