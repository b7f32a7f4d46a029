#include "orrery/solver/method.h"

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/solver/internal/automatic.h"
#include "orrery/solver/internal/cvode.h"
#include "orrery/solver/internal/explicit_runge_kutta.h"
#include "orrery/solver/internal/fixed_step.h"
#include "orrery/solver/internal/ida.h"
#include "orrery/solver/internal/implicit_step.h"
#include "orrery/solver/internal/rosenbrock.h"
#include "orrery/solver/internal/taylor.h"

namespace orrery {

const MethodName& NameOf(Method method) noexcept {
  return kMethodNames[static_cast<std::size_t>(method)];
}

bool HasFixedStep(Method method) noexcept {
  switch (method) {
    case Method::kEuler:
    case Method::kImplicitEuler:
    case Method::kSymplecticEuler:
    case Method::kMidpoint:
    case Method::kHeun:
    case Method::kAdamsBashforth2:
    case Method::kRungeKutta4:
    case Method::kTrapezoid:
      return true;
    default:
      return false;
  }
}

bool IsExplicitWithFixedStep(Method method) noexcept {
  return HasFixedStep(method) && method != Method::kImplicitEuler &&
         method != Method::kTrapezoid;
}

Method MethodFromName(std::string_view name) {
  std::vector<std::string> names;
  for (const MethodName& known : kMethodNames) {
    if (known.name == name) {
      return known.method;
    }
    names.emplace_back(known.name);
  }
  std::string message =
      "cannot integrate by '" + std::string(name) + "': no such method; ";
  const std::string nearest = Nearest(name, names);
  if (!nearest.empty()) {
    message += "did you mean '" + nearest + "'? ";
  }
  message += "known: " + names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    message += ", " + names[i];
  }
  throw Error(ErrorCode::kInvalidArgument, message);
}

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
