#pragma once

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// The value of a variable, an element of it, an iterator or a literal.
Value LowerReference(LoweringContext& context,
                     const ast::ComponentReference& reference);

}  // namespace orrery::modelica::internal
