#pragma once

#include <span>
#include <string_view>

#include "orrery/syntax/class_ast.h"

/// Classes of the Modelica Standard Library that are implemented in C or that
/// compose texts. Built-in classes with the same interface replace them.
namespace orrery::modelica::internal {

struct LibraryText;

/// Their full names; those of one package stand together.
[[nodiscard]] std::span<const std::string_view> StandIns() noexcept;

[[nodiscard]] bool HasStandIn(std::string_view full_name);

/// The built-in text with the class of that full name, which there must be.
[[nodiscard]] const LibraryText& BuiltInTextWith(std::string_view full_name);

/// The class of that name, which may be dotted, in another; null if there is
/// none.
[[nodiscard]] const ast::ClassDefinition* NestedIn(
    const ast::ClassDefinition& definition, std::string_view name);

}  // namespace orrery::modelica::internal
