#pragma once

namespace orrery {

/// Lorenz' equations in Modelica, from (1, 1, 1).
inline constexpr const char* kLorenzModel = R"(model Problem
  Real x(start = 1, fixed = true);
  Real y(start = 1, fixed = true);
  Real z(start = 1, fixed = true);
  parameter Real sigma = 10;
  parameter Real rho = 28;
  parameter Real beta = 8/3;
equation
  der(x) = sigma*(y - x);
  der(y) = x*(rho - z) - y;
  der(z) = x*y - beta*z;
end Problem;
)";

}  // namespace orrery
