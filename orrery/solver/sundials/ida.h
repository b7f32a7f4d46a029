#pragma once

#include <memory>

#include "orrery/solver/problem/dae.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::solver::internal {

/// IDA of SUNDIALS: variable order, variable step BDF for F(t, y, y') = 0.
/// Hindmarsh et al., ACM TOMS 31 (2005) 363-396.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeIda(
    DaeProblem& problem, const SolverOptions& options);

/// Likewise for x' = f(t, x), as F = x' - f.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeIda(
    OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::solver::internal
