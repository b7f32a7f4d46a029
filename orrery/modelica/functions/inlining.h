#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// True if calls of a function should be replaced by formulas: it is a function
/// of an operator (specification 3.6, section 14.3) or has `Inline = true`
/// (section 18.3). `LateInline = true` is for after differentiation: it does
/// not count for a function with a derivative of its own.
[[nodiscard]] bool IsToBeInlined(const ClassNode& function,
                                 bool has_derivative);

/// The number of the input that is the value of the output, whatever else the
/// function does, such as the pressure in the state of a medium that pressure
/// and temperature give. None if there is no such input, or if an assertion may
/// end the function.
[[nodiscard]] std::optional<std::size_t> RepeatedInput(const Function& function,
                                                       std::size_t output);

/// The outputs as formulas of the inputs' `arguments`. None if the function has
/// other statements than assignments of whole variables, or would make events
/// outside of a function.
[[nodiscard]] std::optional<std::vector<Expr>> Inline(
    ExprGraph& graph,
    const Function& function,
    std::span<const Expr> arguments);

}  // namespace orrery::modelica::internal
