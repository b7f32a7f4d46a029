#pragma once

#include "orrery/modelica/functions/function_arguments.h"
#include "orrery/modelica/values/lowering_context.h"

/// Calls of functions for each element of arrays (specification 3.6, section
/// 12.4.6).
namespace orrery::modelica::internal {

/// The first output of a call for each element.
Value CallEach(LoweringContext& context,
               const Callee& callee,
               const CallArguments& arguments,
               const ast::Span& span);

}  // namespace orrery::modelica::internal
