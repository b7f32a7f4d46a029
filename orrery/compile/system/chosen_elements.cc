#include "orrery/compile/system/chosen_elements.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace orrery::compile::internal {

Expr ChosenElements::Named(Expr formula) {
  if (!formula.Contains(Trait::kComposite)) {
    return formula;
  }
  for (const std::uint32_t id : NewNodes(formula)) {
    const Expr node = system_.graph.At(id);
    if (!IsChosen(node)) {
      continue;
    }
    std::vector<Expr> subscripts;
    for (std::size_t k = 1; k < node.num_operands(); ++k) {
      subscripts.push_back(substitution_.Apply(node.operand(k)));
    }
    substitution_.Add(
        node, system_.graph.Index(ArrayOf(node.operand(0)), subscripts));
  }
  return substitution_.Apply(formula);
}

// Returns the nodes of `formula` that no formula before it had, operands first.
std::vector<std::uint32_t> ChosenElements::NewNodes(Expr formula) {
  std::vector<std::uint32_t> nodes;
  std::vector<Expr> pending = {formula};
  while (!pending.empty()) {
    const Expr node = pending.back();
    pending.pop_back();
    if (!node.Contains(Trait::kComposite) || !met_.Insert(node.id(), 1)) {
      continue;
    }
    nodes.push_back(node.id());
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      pending.push_back(node.operand(i));
    }
  }
  std::ranges::sort(nodes);
  return nodes;
}

bool ChosenElements::IsChosen(Expr node) {
  if (node.op() != Op::kIndex || node.operand(0).op() != Op::kSymbol ||
      NumElements(node.operand(0).shape()) == 0 ||
      system_.ScalarAt(node) != kNone || system_.ArrayAt(node) != kNone) {
    return false;
  }
  return system_.ScalarAt(system_.ElementOf(node.operand(0), 0)) != kNone;
}

Expr ChosenElements::ArrayOf(Expr symbol) {
  const Shape& shape = symbol.shape();
  std::vector<Expr> parts;
  for (std::int64_t i = 0; i < NumElements(shape); ++i) {
    parts.push_back(system_.ElementOf(symbol, static_cast<std::uint32_t>(i)));
  }
  return StackElements(system_.graph, std::move(parts), shape);
}

}  // namespace orrery::compile::internal
