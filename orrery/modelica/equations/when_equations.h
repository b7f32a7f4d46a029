#pragma once

#include "orrery/modelica/equations/equations.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// Lowers a when-clause to equations that hold at its events, or to equations
/// of a clock's partition (specification 3.6, sections 8.3.5 and 16.6).
void LowerWhen(EquationLowering& equations,
               const ast::When<ast::Equation>& clause,
               const ast::Span& span);

/// Lowers `reinit(x, value)`. At the start, it is an initial equation for the
/// state (specification 3.6, section 8.6).
void LowerReinit(EquationLowering& equations,
                 const ast::Call& call,
                 const ast::Span& span);

}  // namespace orrery::modelica::internal
