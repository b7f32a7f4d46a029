#pragma once

#include "orrery/modelica/equations/equations.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// Lowers the branch of an if-equation that parameters select. If its
/// conditions change during the run, the equations of its branches become the
/// same equations, with values that depend on the conditions (specification
/// 3.6, section 8.3.4).
void LowerIf(EquationLowering& equations,
             const ast::If<ast::Equation>& choice,
             const ast::Span& span);

/// The branch of an if-equation that parameters select. Null for another
/// equation, or if other conditions, such as roots, select it.
const ast::List<ast::Equation>* TakenBranch(EquationLowering& equations,
                                            const ast::Equation& equation);

}  // namespace orrery::modelica::internal
