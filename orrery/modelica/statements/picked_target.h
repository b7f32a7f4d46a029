#pragma once

#include <vector>

#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// The target of an assignment whose subscripts only the run knows: one
/// component in each element of an array of records, or of nested arrays, and
/// the subscripts of the selected ones.
struct PickedTarget {
  std::vector<Component*> components;  ///< Row-major.
  Shape shape;
  std::vector<Subscript> subscripts;  ///< By dimension.
};

/// Adds the dimensions of the components themselves, behind those around them,
/// and their subscripts.
void AddDimensions(LoweringContext& context,
                   PickedTarget& picked,
                   const ast::Expressions& subscripts,
                   const ast::Span& span);

/// The members of the picked components that `part` names.
[[nodiscard]] PickedTarget MembersOf(LoweringContext& context,
                                     const PickedTarget& picked,
                                     const ast::ReferencePart& part);

}  // namespace orrery::modelica::internal
