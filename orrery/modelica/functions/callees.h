#pragma once

#include "orrery/modelica/values/lowering_context.h"

/// The function of a call, and the surroundings of its defaults.
namespace orrery::modelica::internal {

/// The function that a call names; no class if the name is not that of one.
Callee FindCallee(LoweringContext& context,
                  const ast::ComponentReference& reference);

/// The same where the name has been looked up.
Callee FindCallee(LoweringContext& context,
                  const ast::ComponentReference& reference,
                  const ClassTree::Found& found);

/// The instance whose components defaults of inputs may name.
Instance* EnclosingModel(LoweringContext& context);

/// The function with the inner classes for its outer ones: a different function
/// for each set of them.
ClassNode* WithInnerClasses(LoweringContext& context,
                            const Callee& callee,
                            const ast::Span& span);

}  // namespace orrery::modelica::internal
