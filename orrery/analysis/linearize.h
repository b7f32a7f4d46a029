#pragma once

#include <string>
#include <vector>

#include "orrery/analysis/linear_system.h"
#include "orrery/sim/operating_point.h"

namespace orrery {

/// The inputs and outputs of a linearisation. Plain data.
struct LinearizeOptions {
  /// Names of inputs, scalars or arrays; empty for all inputs of the model.
  std::vector<std::string> inputs;
  /// Names of Real quantities of any kind, scalars or arrays; empty for the
  /// outputs that the model declares.
  std::vector<std::string> outputs;
};

/// The linear system of a model for small deviations from an operating point:
///
///     A = df/dx,  B = df/du,  C = dg/dx,  D = dg/du
///
/// for x' = f(t, x, u), y = g(t, x, u) at constant t. The derivatives are
/// exact, by forward differentiation; through algebraic loops by the implicit
/// function theorem. Opaque functions are differentiated by central
/// differences, with a warning. Discrete variables are constant, and relations
/// do not change. If constraints bind states (a pendulum in x and y), one
/// position or velocity is left out for each constraint: it follows from the
/// other states.
///
/// @param point the operating point, which need not be steady; unchanged but
///     for scratch.
/// @throws Error kInvalidArgument for a name that is not known or of the wrong
///     kind, kInvalidModel if the equations have no finite value or derivative
///     there, kUnsupported for more states than dense matrices can hold.
[[nodiscard]] LinearSystem Linearize(OperatingPoint& point,
                                     const LinearizeOptions& options = {});

}  // namespace orrery
