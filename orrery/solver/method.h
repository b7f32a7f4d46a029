#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "orrery/solver/dae.h"
#include "orrery/solver/integrator.h"
#include "orrery/solver/ode.h"
#include "orrery/solver/options.h"

namespace orrery {

/// The methods of integration.
enum class Method : std::uint8_t {
  kAuto,
  kEuler,
  kImplicitEuler,
  kSymplecticEuler,
  kMidpoint,
  kHeun,
  kAdamsBashforth2,
  kRungeKutta4,
  kTrapezoid,
  kDormandPrince5,
  kDormandPrince8,
  kTaylor,
  kRosenbrock,
  kCvodeBdf,
  kCvodeAdams,
  kIda,
};

/// A method's name on the command line and its description in one line.
struct MethodName {
  Method method;
  std::string_view name;
  std::string_view description;
};

/// All methods, in the order of the enumeration.
inline constexpr std::array<MethodName, 16> kMethodNames = {{
    {Method::kAuto,
     "auto",
     "explicit first (taylor where it is cheaper, else dopri5 or dop853); "
     "changes to rodas or cvode-bdf when it meets stiffness"},
    {Method::kEuler, "euler", "explicit Euler, order 1, fixed step"},
    {Method::kImplicitEuler,
     "implicit-euler",
     "implicit Euler, order 1, fixed step, for stiff problems"},
    {Method::kSymplecticEuler,
     "symplectic-euler",
     "symplectic Euler, order 1, fixed step: velocities first, then positions"},
    {Method::kMidpoint, "midpoint", "explicit midpoint, order 2, fixed step"},
    {Method::kHeun, "heun", "Heun (explicit trapezoid), order 2, fixed step"},
    {Method::kAdamsBashforth2,
     "ab2",
     "Adams-Bashforth, order 2, fixed step, starts by explicit Euler"},
    {Method::kRungeKutta4,
     "rk4",
     "the classical Runge-Kutta method, order 4, fixed step"},
    {Method::kTrapezoid,
     "trapezoid",
     "implicit trapezoid, order 2, fixed step, for stiff problems"},
    {Method::kDormandPrince5,
     "dopri5",
     "Dormand-Prince 5(4), adaptive, for non-stiff problems"},
    {Method::kDormandPrince8,
     "dop853",
     "Dormand-Prince 8(5,3), adaptive, non-stiff at tight tolerances"},
    {Method::kTaylor,
     "taylor",
     "Taylor series of high order, adaptive, non-stiff at the tightest "
     "tolerances"},
    {Method::kRosenbrock,
     "rodas",
     "Rosenbrock method Rodas5P of order 5, adaptive, for small stiff "
     "problems"},
    {Method::kCvodeBdf,
     "cvode-bdf",
     "CVODE, backward differentiation, adaptive, for large stiff problems"},
    {Method::kCvodeAdams,
     "cvode-adams",
     "CVODE, Adams-Moulton, adaptive, for costly non-stiff problems"},
    {Method::kIda,
     "ida",
     "IDA, backward differentiation for implicit equations, adaptive"},
}};

/// Returns the method's entry in `kMethodNames`.
[[nodiscard]] const MethodName& NameOf(Method method) noexcept;

/// True if the method steps by `SolverOptions::step`.
[[nodiscard]] bool HasFixedStep(Method method) noexcept;

/// True for a method with a fixed step that solves no equations: a step of one
/// state depends on other states only through f.
[[nodiscard]] bool IsExplicitWithFixedStep(Method method) noexcept;

/// Returns the method called `name`.
/// @throws Error kInvalidArgument that suggests the nearest and lists all.
[[nodiscard]] Method MethodFromName(std::string_view name);

/// Makes an integrator for `problem`, which must outlive it. It is not yet
/// started: call Restart.
/// @throws Error kInvalidArgument naming the option that is out of range or the
///     property that the problem lacks for this method.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeIntegrator(
    Method method, OdeProblem& problem, const SolverOptions& options);

/// Makes an integrator of implicit equations, by IDA. The first step after
/// Restart makes the algebraic unknowns and the slopes consistent and keeps the
/// differential unknowns; x() is consistent from then on.
/// @throws Error kInvalidArgument naming the option that is out of range.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeIntegrator(
    DaeProblem& problem, const SolverOptions& options);

}  // namespace orrery
