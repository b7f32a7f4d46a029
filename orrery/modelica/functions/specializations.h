#pragma once

#include <vector>

#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/values/lowering_context.h"

/// Functions lowered for the shapes, texts, functions and known numbers that
/// they are called with.
namespace orrery::modelica::internal {

/// The function for such arguments, lowered now if it was not before.
/// @param shapes of the leaves that are numbers.
Session::Lowered Specialize(LoweringContext& context,
                            ClassNode* function,
                            const std::vector<Value>& arguments,
                            const FlatArguments& leaves,
                            const std::vector<double>& shapes,
                            const ast::Span& span);

}  // namespace orrery::modelica::internal
