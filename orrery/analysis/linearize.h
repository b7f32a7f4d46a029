#pragma once

#include <string>
#include <vector>

#include "orrery/analysis/linear_system.h"
#include "orrery/sim/operating_point.h"

namespace orrery {

/// Between which quantities a model is linearised. Plain data.
struct LinearizeOptions {
  /// Names of inputs, scalars or arrays; empty for all that the model has.
  std::vector<std::string> inputs;
  /// Names of Real quantities of any kind, scalars or arrays; empty for the
  /// outputs that the model declares.
  std::vector<std::string> outputs;
};

/// The linear system that a model is for small deviations from an operating
/// point:
///
///     A = df/dx,  B = df/du,  C = dg/dx,  D = dg/du
///
/// for x' = f(t, x, u), y = g(t, x, u) at constant t. The derivatives are
/// exact, by forward differentiation, through algebraic loops by the implicit
/// function theorem; central differences for what is opaque, with a warning.
/// Discrete quantities are held, and relations stay as they are. Of states that
/// constraints bind (a pendulum in x and y), as many as there are constraints
/// are left out, in its positions and velocities: they follow from the others.
///
/// @param point where to linearise; unchanged but for scratch. The point need
///     not be steady.
/// @throws Error kInvalidArgument for a name that is not known or of the wrong
///     kind, kInvalidModel if the equations have no finite value or derivative
///     there, kUnsupported for more states than dense matrices can hold.
[[nodiscard]] LinearSystem Linearize(OperatingPoint& point,
                                     const LinearizeOptions& options = {});

}  // namespace orrery
