#pragma once

#include <memory>

#include "orrery/solver/problem/method_name.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/integrator.h"
#include "orrery/solver/steps/stability.h"

namespace orrery::solver::internal {

/// CVODE with an estimate of its stability.
class CvodeIntegrator : public TimeIntegrator, public StabilityEstimate {
 protected:
  using TimeIntegrator::TimeIntegrator;
};

/// CVODE of SUNDIALS: variable order, variable step multistep methods, BDF with
/// Newton's method or Adams-Moulton with fixed-point iteration. Hindmarsh et
/// al., ACM TOMS 31 (2005) 363-396.
///
/// @param method kCvodeBdf or kCvodeAdams.
[[nodiscard]] std::unique_ptr<CvodeIntegrator> MakeCvode(
    Method method, OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::solver::internal
