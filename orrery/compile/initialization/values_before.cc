#include "orrery/compile/initialization/values_before.h"

#include <cstdint>

#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

// A clock's first tick comes after the start, even at the same time.
void ReplaceKnownTruths(System& system,
                        std::vector<ScalarEquation>& equations) {
  ExprGraph& graph = system.graph;
  Replacements known = {{system.model.initial.id(), graph.Boolean(true)}};
  for (const SampleTick& tick : system.events.ticks) {
    known.emplace(tick.truth.id(), graph.Boolean(false));
  }
  Replace(graph, known, equations);
}

// Before the start, all quantities had their values of the start. A way has
// values of its own.
void ReplaceDelays(System& system, std::vector<ScalarEquation>& equations) {
  Substitution at_start(system.graph);
  for (const DelayPart& delay : system.events.delays) {
    at_start.Add(delay.value, at_start.Apply(delay.at_start()));
    if (delay.rate) {
      at_start.Add(delay.rate, system.graph.Constant(0));
    }
  }
  for (ScalarEquation& equation : equations) {
    equation.left = at_start.Apply(equation.left);
    equation.right = at_start.Apply(equation.right);
  }
}

// Likewise pre(x) of a continuous variable x is x at the start.
void ReplaceLeftLimits(System& system, std::vector<ScalarEquation>& equations) {
  Substitution at_start(system.graph);
  bool is_needed = false;
  for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
    if (system.IsLeftLimit(i)) {
      const Alias alias = system.aliases[system.scalars[i].pre_of];
      const Expr value = system.scalars[alias.scalar].key;
      at_start.Add(system.scalars[i].key, alias.sign > 0 ? value : -value);
      is_needed = true;
    }
  }
  if (!is_needed) {
    return;
  }
  for (ScalarEquation& equation : equations) {
    equation.left = at_start.Apply(equation.left);
    equation.right = at_start.Apply(equation.right);
  }
}

}  // namespace

void TakeValuesBefore(System& system, std::vector<ScalarEquation>& equations) {
  ReplaceKnownTruths(system, equations);
  ReplaceDelays(system, equations);
  ReplaceLeftLimits(system, equations);
}

}  // namespace orrery::compile::internal
