#include "orrery/compile/scalarize/homotopies.h"

#include <cstdint>

#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {

void SetHomotopiesApart(System& system) {
  if (!system.model.homotopy) {
    return;
  }
  const auto& [is_actual, is_simplified, part] = *system.model.homotopy;
  ExprGraph& graph = system.graph;
  Substitution actual(graph, {{is_actual.id(), graph.Boolean(true)}});
  Substitution between(
      graph,
      {{is_actual.id(), graph.Boolean(false)},
       {is_simplified.id(),
        graph.Binary(Op::kLessEqual, part, graph.Constant(0))}});
  for (auto* equations : {&system.equations, &system.initial_equations}) {
    for (ScalarEquation& equation : *equations) {
      const ScalarEquation whole = equation;
      equation.left = actual.Apply(whole.left);
      equation.right = actual.Apply(whole.right);
      if (equation.left == whole.left && equation.right == whole.right) {
        continue;
      }
      equation.homotopy = static_cast<std::uint32_t>(system.homotopies.size());
      ScalarEquation& way = system.homotopies.emplace_back(equation);
      way.left = between.Apply(whole.left);
      way.right = between.Apply(whole.right);
    }
  }
  ForEachFormula(system.events, [&](Expr& formula, std::uint32_t /*origin*/) {
    formula = actual.Apply(formula);
  });
}

}  // namespace orrery::compile::internal
