#pragma once

#include <string_view>

#include "orrery/syntax/class_ast.h"

namespace orrery::modelica {

/// The kind with its article, as in "a model".
[[nodiscard]] std::string_view KindName(ast::ClassKind kind) noexcept;

/// The keyword of a kind: "model", "package", ...
[[nodiscard]] std::string_view Keyword(ast::ClassKind kind) noexcept;

}  // namespace orrery::modelica
