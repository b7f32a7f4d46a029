#pragma once

#include <optional>

#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// Puts the start values of a function's outputs and locals into an order in
/// which each uses only those before it, whatever the order of declarations is
/// (specification 3.6, section 12.4.4). The start values of outputs that use
/// locals become the first statements of the body.
///
/// @pre the body is empty.
/// @returns a variable with a start value that depends on itself, if there is
///     any; then nothing has changed.
[[nodiscard]] std::optional<Expr> OrderStarts(Function& function);

}  // namespace orrery::modelica::internal
