#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// The predefined functions and operators with function syntax (specification,
/// sections 3.7, 10.3 and 10.6).
namespace orrery::modelica::internal {

/// The call's value; none if `name` is not predefined.
std::optional<Value> RunBuiltIn(LoweringContext& context,
                                std::string_view name,
                                const ast::Call& written,
                                const ast::Span& span);

/// All values of a call; none if it is not of a predefined function that gives
/// several.
std::vector<Value> RunBuiltInOfSeveral(LoweringContext& context,
                                       const ast::Call& written,
                                       const ast::Span& span);

/// The names of all predefined functions, for suggestions.
std::vector<std::string> BuiltInNames();

}  // namespace orrery::modelica::internal
