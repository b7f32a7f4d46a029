#pragma once

#include <optional>
#include <span>
#include <vector>

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// Whether calls of a function are to be formulas where that can be: it is an
/// operator's (specification 3.6, section 14.3), or says `Inline = true`
/// (section 18.3).
[[nodiscard]] bool IsToBeInlined(const ClassNode& function);

/// The outputs as formulas of the arguments, one for each input. None where the
/// function takes more than assignments of whole variables, or has what would
/// make events outside of a function.
[[nodiscard]] std::optional<std::vector<Expr>> Inline(
    ExprGraph& graph,
    const Function& function,
    std::span<const Expr> arguments);

}  // namespace orrery::modelica::internal
