#pragma once

#include <memory>

#include "orrery/solver/problem/dae.h"
#include "orrery/solver/problem/method_name.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery {

/// An integrator for `problem`, which must outlive it. Not yet started: call
/// Restart.
/// @throws Error kInvalidArgument naming the option that is out of range or
///     what the problem lacks for this method.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeIntegrator(
    Method method, OdeProblem& problem, const SolverOptions& options);

/// Makes an integrator of implicit equations, by IDA. The first step after
/// Restart makes the algebraic unknowns and the slopes consistent and keeps the
/// differential unknowns; x() is consistent from then on.
/// @throws Error kInvalidArgument naming the option that is out of range.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeIntegrator(
    DaeProblem& problem, const SolverOptions& options);

}  // namespace orrery
