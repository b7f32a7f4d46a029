#pragma once

#include <memory>

#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::internal {

/// Takes the midpoint rule where it is exact (`MakeQuadraticMotion`). Else
/// starts by an explicit method (DOPRI5; for a relative tolerance of 1e-8 or
/// less the Taylor series, if there is one without kinks for up to 500 states,
/// else DOP853). Where 15 steps in close succession are limited by stability
/// (Hairer & Wanner, Solving ODEs II, IV.2), goes on by a stiff one (Rodas5P up
/// to 100 states, and where the factors of a sparse Jacobian are little work;
/// else CVODE's BDF). Goes back where a bound of the Jacobian
/// says for many steps that explicit steps of half the length and more would be
/// stable; each return makes the next one harder to earn.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeAutomatic(
    OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::internal
