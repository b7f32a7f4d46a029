#pragma once

#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Calls in expressions. These are the only functions that expressions need
/// from a higher floor: the body of a function is made of statements, and these
/// of expressions. functions/calls.cc and functions/function_calls.cc implement
/// them.
namespace orrery::modelica::internal {

/// The value of a call; its first output, if there are several.
Value LowerCall(LoweringContext& context,
                const ast::Call& call,
                const ast::Span& span);

/// All outputs of a call, in order; one value for a predefined function.
std::vector<Value> CallAll(LoweringContext& context,
                           const ast::Expression& expression);

/// The outputs of a function for values of its inputs. A value is empty where
/// the default holds.
std::vector<Value> CallWith(LoweringContext& context,
                            const Callee& callee,
                            std::vector<Value> arguments,
                            const ast::Span& span);

/// A number whose computation makes the call, for a function whose outputs are
/// unused: its first output.
Expr CallForEffect(LoweringContext& context,
                   const ast::Call& call,
                   const ast::Span& span);

}  // namespace orrery::modelica::internal
