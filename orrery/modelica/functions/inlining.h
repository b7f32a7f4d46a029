#pragma once

#include <optional>
#include <span>
#include <vector>

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// True if calls of a function should be replaced by formulas: it is a function
/// of an operator (specification 3.6, section 14.3) or has `Inline = true`
/// (section 18.3).
[[nodiscard]] bool IsToBeInlined(const ClassNode& function);

/// The outputs as formulas of the inputs' `arguments`. None if the function has
/// other statements than assignments of whole variables, or would make events
/// outside of a function.
[[nodiscard]] std::optional<std::vector<Expr>> Inline(
    ExprGraph& graph,
    const Function& function,
    std::span<const Expr> arguments);

}  // namespace orrery::modelica::internal
