#pragma once

#include <algorithm>
#include <functional>
#include <variant>

#include "orrery/modelica/equations/equations.h"
#include "orrery/syntax/ast.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// True if `test` holds for the equation or for one in its loops and branches.
template <typename Test>
[[nodiscard]] bool AnyWithin(const ast::Equation& equation, Test test) {
  const auto any = [test](const ast::List<ast::Equation>& equations) {
    return std::ranges::any_of(equations, [test](const ast::Equation& inner) {
      return AnyWithin(inner, test);
    });
  };
  if (test(equation)) {
    return true;
  }
  if (const auto* loop = std::get_if<ast::For<ast::Equation>>(&equation.node)) {
    return any(loop->body);
  }
  const auto* const choice =
      std::get_if<ast::If<ast::Equation>>(&equation.node);
  return choice != nullptr &&
         std::ranges::any_of(choice->branches, [any](const auto& branch) {
           return any(branch.body);
         });
}

/// True if there is a connect-equation, also in loops and branches.
[[nodiscard]] bool HasConnect(const ast::List<ast::Equation>& equations);

/// Called for a connect-equation.
using ConnectVisitor = std::function<void(const ast::Connect&)>;

/// Visits the connect-equations that hold, once for each pass of loops, with
/// known iterators. An Abandoned that `visit` throws ends that visit only.
void VisitConnects(EquationLowering& lowering,
                   const ast::List<ast::Equation>& equations,
                   const ConnectVisitor& visit);

}  // namespace orrery::modelica::internal
