#include "orrery/symbolic/derivatives/point_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "orrery/symbolic/transform.h"

namespace orrery {

std::vector<PointCalls::Taken> PointCalls::TakeOut(std::span<Expr> values) {
  FindDirected(values);
  for (const Expr& value : values) {
    Visit(value);
  }
  std::ranges::sort(outputs_, {}, &Expr::id);
  std::vector<Taken> taken;
  Substitution substitution(graph_);
  for (const Expr& output : outputs_) {
    taken.push_back({.symbol = graph_.Symbol({.name = "value at the point",
                                              .type = output.type(),
                                              .shape = {}}),
                     .output = output});
    substitution.Add(output, taken.back().symbol);
  }
  if (!taken.empty()) {
    for (Expr& value : values) {
      value = substitution.Apply(value);
    }
  }
  return taken;
}

// Operands come before what they are operands of.
void PointCalls::FindDirected(std::span<const Expr> values) {
  for (const std::uint32_t id : Reachable(values)) {
    const Expr node = graph_.At(id);
    bool is_directed = IsDirected(node);
    for (std::size_t i = 0; !is_directed && i < node.num_operands(); ++i) {
      is_directed = IsDirected(node.operand(i));
    }
    if (is_directed) {
      directed_.Set(id, 1);
    }
  }
}

// Finds calls that are evaluated whatever is chosen.
void PointCalls::Visit(Expr value) {
  std::vector<Expr> stack = {value};
  while (!stack.empty()) {
    const Expr node = stack.back();
    stack.pop_back();
    if (visited_.Find(node.id()) != NodeIndex::kNone) {
      continue;
    }
    visited_.Insert(node.id(), 1);
    if (node.op() == Op::kOutput && node.is_scalar() && !IsDirected(node) &&
        !node.Contains(Trait::kIterator)) {
      outputs_.push_back(node);
      continue;
    }
    const std::size_t count =
        node.op() == Op::kSelect ? 1 : node.num_operands();
    for (std::size_t i = 0; i < count; ++i) {
      stack.push_back(node.operand(i));
    }
  }
}

}  // namespace orrery
