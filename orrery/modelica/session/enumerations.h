#pragma once

#include "orrery/modelica/classes/class_tree.h"

namespace orrery::modelica::internal {

/// True if both are one enumeration: that with the same literals in the same
/// order, wherever it is declared (specification 3.6, section 6.7). Either may
/// be null; external objects are of one class only.
[[nodiscard]] inline bool AreOneEnumeration(const ClassNode* a,
                                            const ClassNode* b) {
  return a == b || (a != nullptr && b != nullptr && !a->literals.empty() &&
                    a->literals == b->literals);
}

}  // namespace orrery::modelica::internal
