#pragma once

#include <cstdint>
#include <string>

#include "orrery/syntax/class_ast.h"

namespace orrery::modelica {

/// Descriptions and annotations are written or left out.
enum class Descriptions : std::uint8_t { kWritten, kLeftOut };

/// The Modelica text of a tree, indented by two spaces, with the parentheses
/// that its structure needs and no comments. Parsing it gives the same tree
/// again, spans aside, if the tree came from a text without errors.
[[nodiscard]] std::string Unparse(const ast::StoredDefinition& definition);
[[nodiscard]] std::string Unparse(
    const ast::ClassDefinition& definition,
    Descriptions descriptions = Descriptions::kWritten);
[[nodiscard]] std::string Unparse(
    const ast::Element& element,
    Descriptions descriptions = Descriptions::kWritten);
[[nodiscard]] std::string Unparse(const ast::Equation& equation);
[[nodiscard]] std::string Unparse(const ast::Statement& statement);
[[nodiscard]] std::string Unparse(const ast::Expression& expression);

}  // namespace orrery::modelica
