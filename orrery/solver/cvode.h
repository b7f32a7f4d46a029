#pragma once

#include <memory>

#include "orrery/solver/method.h"

namespace orrery::internal {

/// CVODE of SUNDIALS: variable order, variable step multistep methods, BDF with
/// Newton's method or Adams-Moulton with fixed-point iteration. Hindmarsh et
/// al., ACM TOMS 31 (2005) 363-396.
///
/// @param method kCvodeBdf or kCvodeAdams.
[[nodiscard]] std::unique_ptr<Integrator> MakeCvode(
    Method method, OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::internal
