#pragma once

#include <memory>

#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::solver::internal {

/// Uses the midpoint rule if it is exact (`MakeQuadraticMotion`). Else it
/// starts with an explicit method: DOPRI5, or DOP853 for a tight relative
/// tolerance, or the Taylor series if that is estimated to be cheaper, has no
/// kinks, and there are no events and at most 500 states. If 15 steps in close
/// succession are limited by stability (Hairer & Wanner, Solving ODEs II,
/// IV.2), it changes to a stiff method: Rodas5P for up to 100 states or a
/// sparse Jacobian with cheap factors, else CVODE's BDF. It changes back if a
/// bound of the Jacobian shows for many steps that explicit steps of twice
/// the length would be stable; each return makes the next one harder.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeAutomatic(
    OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::solver::internal
