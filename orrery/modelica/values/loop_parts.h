#pragma once

#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

/// Values of an iterator for all of which a condition holds, or for none.
struct LoopPart {
  Range range;
  bool holds = false;
};

/// The parts, in order, into which a condition over an iterator and constants
/// divides its range, where comparisons with the iterator, or multiples of it,
/// make it: `i == 1 or i >= n - 2`. Their number does not grow with the range.
/// None if it is another condition.
[[nodiscard]] std::vector<LoopPart> PartsOf(ExprGraph& graph,
                                            Expr condition,
                                            Expr iterator);

/// A loop over `iterator` is to be lowered part by part.
struct NeedsParts {
  Expr iterator;
  std::vector<LoopPart> parts;
};

}  // namespace orrery::modelica::internal
