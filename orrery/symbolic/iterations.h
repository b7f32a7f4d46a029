#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/transform.h"

namespace orrery {

/// One combination of values of iterators.
class Iteration {
 public:
  explicit Iteration(ExprGraph& graph) : graph_(graph), substitution_(graph) {}

  /// Sets `iterators` to the values at positions `at` of their ranges.
  void MoveTo(std::span<const Expr> iterators,
              std::span<const std::int64_t> at) {
    substitution_.Clear();
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Range& range = graph_.IteratorRange(iterators[i]);
      const auto value = static_cast<double>(range.start + at[i] * range.step);
      substitution_.Add(iterators[i],
                        graph_.Constant(value, ValueType::kInteger));
    }
  }

  /// Returns the formula with values in place of the iterators.
  [[nodiscard]] Expr Apply(Expr formula) {
    return formula.Contains(Trait::kIterator) ? substitution_.Apply(formula)
                                              : formula;
  }

 private:
  ExprGraph& graph_;
  Substitution substitution_;
};

/// Calls `use(Iteration&)` for every combination of the iterators' values, the
/// last iterator fastest; once, with nothing to replace, without iterators.
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
  Iteration iteration(graph);
  for (;;) {
    iteration.MoveTo(iterators, at);
    use(iteration);
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

/// Calls `use(Expr, Expr)` for the elements of two formulas, row-major.
/// @returns false, without a call, if their numbers of elements differ.
template <typename Use>
bool ForEachElement(Elements& elements, Expr a, Expr b, Use use) {
  if (!a.Contains(Trait::kComposite) && !b.Contains(Trait::kComposite)) {
    use(a, b);
    return true;
  }
  const std::vector<Expr> as = elements.All(a);
  const std::vector<Expr> bs = elements.All(b);
  for (std::size_t i = 0; as.size() == bs.size() && i < as.size(); ++i) {
    use(as[i], bs[i]);
  }
  return as.size() == bs.size();
}

}  // namespace orrery
