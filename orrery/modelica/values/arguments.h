#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Arguments of calls, matched with the inputs of what is called.
namespace orrery::modelica::internal {

/// The call's argument for each of these names; null if none is given.
/// @param callee as messages name it.
/// @param function whose inputs the names are; null if it is predefined.
std::vector<const ast::Expression*> PlaceArguments(
    LoweringContext& context,
    const std::string& callee,
    std::span<const std::string> names,
    const ast::Call& call,
    ClassNode* function = nullptr);

/// The arguments of a predefined function.
std::vector<const ast::Expression*> PlaceFixed(
    LoweringContext& context,
    const ast::Call& call,
    std::initializer_list<std::string> names,
    const ast::Span& span);

/// The argument of each input; null for a default.
std::vector<const ast::Expression*> MatchArguments(
    LoweringContext& context,
    ClassNode* node,
    const std::vector<Member*>& inputs,
    const ast::Call& call,
    const ast::Span& span);

/// True if an input has a default value, from its declaration or from a
/// modification of its function, as in `function g = f(x = 3)`.
bool HasDefault(LoweringContext& context, ClassNode& node, const Member& input);

/// Reports a call of a partial function.
void CheckCallable(LoweringContext& context,
                   const ClassNode& function,
                   const ast::Span& span);

}  // namespace orrery::modelica::internal
