#include "orrery/solver/method.h"

#include "orrery/base/error.h"
#include "orrery/solver/adaptive/explicit_runge_kutta.h"
#include "orrery/solver/adaptive/rosenbrock.h"
#include "orrery/solver/adaptive/taylor.h"
#include "orrery/solver/automatic.h"
#include "orrery/solver/fixed/fixed_step.h"
#include "orrery/solver/fixed/implicit_step.h"
#include "orrery/solver/sundials/cvode.h"
#include "orrery/solver/sundials/ida.h"

namespace orrery {

namespace internal = solver::internal;

std::unique_ptr<TimeIntegrator> MakeIntegrator(Method method,
                                               OdeProblem& problem,
                                               const SolverOptions& options) {
  CheckOptions(options, problem.dimension());
  if (HasFixedStep(method)) {
    return IsExplicitWithFixedStep(method)
               ? internal::MakeExplicitFixedStep(method, problem, options)
               : internal::MakeImplicitFixedStep(method, problem, options);
  }
  switch (method) {
    case Method::kRosenbrock:
      return internal::MakeRosenbrock(problem, options);
    case Method::kAuto:
      return internal::MakeAutomatic(problem, options);
    case Method::kDormandPrince5:
      return internal::MakeDormandPrince5(problem, options);
    case Method::kDormandPrince8:
      return internal::MakeDormandPrince8(problem, options);
    case Method::kTaylor:
      return std::make_unique<internal::TaylorIntegrator>(problem, options);
    case Method::kCvodeBdf:
    case Method::kCvodeAdams:
      return internal::MakeCvode(method, problem, options);
    case Method::kIda:
      return internal::MakeIda(problem, options);
    default:
      ORRERY_CHECK(false);
      return nullptr;
  }
}

std::unique_ptr<TimeIntegrator> MakeIntegrator(DaeProblem& problem,
                                               const SolverOptions& options) {
  CheckOptions(options, problem.dimension());
  return internal::MakeIda(problem, options);
}

}  // namespace orrery
