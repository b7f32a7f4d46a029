#pragma once

#include <cstdint>
#include <vector>

#include "orrery/compile/system/system.h"
#include "orrery/symbolic/node_index.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {

/// Elements of unknown arrays that a subscript chooses in a run. x[j], which
/// names no scalar, becomes {x[1], x[2], ...}[j], so that a walk through the
/// formula meets all scalars that it may be. Arrays that loops read stay whole.
class ChosenElements {
 public:
  explicit ChosenElements(System& system)
      : system_(system), substitution_(system.graph) {}

  /// @param formula in which arrays are resolved.
  [[nodiscard]] Expr Named(Expr formula);

 private:
  [[nodiscard]] std::vector<std::uint32_t> NewNodes(Expr formula);
  [[nodiscard]] bool IsChosen(Expr node);
  [[nodiscard]] Expr ArrayOf(Expr symbol);

  System& system_;
  Substitution substitution_;
  NodeIndex met_;
};

}  // namespace orrery::compile::internal
