#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/transform.h"

namespace orrery::internal {

/// Calls `use(Substitution)` for every combination of the iterators' values,
/// the last iterator fastest; once, with nothing to replace, without iterators.
template <typename Use>
void ForEachIteration(ExprGraph& graph,
                      std::span<const Expr> iterators,
                      Use use) {
  for (const Expr& iterator : iterators) {
    if (graph.IteratorRange(iterator).count <= 0) {
      return;
    }
  }
  std::vector<std::int64_t> at(iterators.size(), 0);
  for (;;) {
    Replacements values;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Range& range = graph.IteratorRange(iterators[i]);
      const auto value = static_cast<double>(range.start + at[i] * range.step);
      values.emplace(iterators[i].id(),
                     graph.Constant(value, ValueType::kInteger));
    }
    use(Substitution(graph, std::move(values)));
    std::size_t i = at.size();
    while (i > 0 &&
           ++at[i - 1] == graph.IteratorRange(iterators[i - 1]).count) {
      at[--i] = 0;
    }
    if (i == 0) {
      return;
    }
  }
}

}  // namespace orrery::internal
