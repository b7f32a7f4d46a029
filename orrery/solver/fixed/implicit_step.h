#pragma once

#include <memory>

#include "orrery/solver/problem/method_name.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::solver::internal {

/// Implicit Euler (theta = 1) or the trapezoid (theta = 1/2):
/// x_{n+1} = x_n + h ((1 - theta) f_n + theta f_{n+1}), solved by Newton's
/// method down to rounding.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeImplicitFixedStep(
    Method method, OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::solver::internal
