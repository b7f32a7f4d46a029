#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

/// A method's name on the command line and what it is, in one line.
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

/// The method's entry in `kMethodNames`.
[[nodiscard]] const MethodName& NameOf(Method method) noexcept;

/// True if the method steps by `SolverOptions::step`.
[[nodiscard]] bool HasFixedStep(Method method) noexcept;

/// True if it does so and solves no equations: a state depends on others by f
/// alone.
[[nodiscard]] bool IsExplicitWithFixedStep(Method method) noexcept;

/// The method called `name`.
/// @throws Error kInvalidArgument that suggests the nearest and lists all.
[[nodiscard]] Method MethodFromName(std::string_view name);

}  // namespace orrery
