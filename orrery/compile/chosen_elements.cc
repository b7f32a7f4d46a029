#include "orrery/compile/internal/chosen_elements.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace orrery::internal {

Expr ChosenElements::Named(Expr formula) {
  if (!formula.Contains(Trait::kComposite)) {
    return formula;
  }
  const std::array roots = {formula};
  for (const std::uint32_t id : Reachable(roots)) {
    const Expr node = system_.graph.At(id);
    if (!IsChosen(node) || !met_.insert(id).second) {
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

bool ChosenElements::IsChosen(Expr node) {
  if (node.op() != Op::kIndex || node.operand(0).op() != Op::kSymbol ||
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

}  // namespace orrery::internal
