#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "orrery/base/diagnostic.h"
#include "orrery/modelica/classes/class_node.h"

namespace orrery::modelica::internal {

class ClassTree;

/// The number of a member of a class, and another inherited member of the same
/// name.
using Duplicate = std::pair<std::uint32_t, Member>;

/// Reports elements of `node` that are declared more than once, unless all
/// declarations say the same. Values that are the same but for attributes of
/// their types, as `Real g` and `SI.Acceleration g`, count once, with a
/// warning (specification 3.6, section 5.6.1.4).
void CheckDuplicates(ClassTree& tree,
                     const ClassNode& node,
                     std::span<const Duplicate> duplicates,
                     Diagnostics& diagnostics);

}  // namespace orrery::modelica::internal
