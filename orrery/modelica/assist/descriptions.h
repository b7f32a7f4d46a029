#pragma once

#include <string>
#include <string_view>

#include "orrery/modelica/workspace/name_target.h"

namespace orrery::modelica::internal {

/// The declaration as written, without modifiers of graphics and annotations:
/// `parameter SI.Resistance R(start = 1) "Resistance"`.
[[nodiscard]] std::string DeclarationOf(const Member& component);

/// `model Resistor "Ideal linear electrical resistor"`.
[[nodiscard]] std::string DeclarationOf(const ClassNode& node);

/// The description string of a component, of a class.
[[nodiscard]] std::string DescriptionOf(const Member& component);
[[nodiscard]] std::string DescriptionOf(const ClassNode& node);

/// An attribute of a component's values that is written as a literal, at the
/// component or at its type: `unit`, `displayUnit`, `quantity`. Empty if none
/// is.
[[nodiscard]] std::string AttributeOf(ClassTree& tree,
                                      Member& component,
                                      std::string_view attribute);

/// The type of a component as its text names it, with its sizes: "Real[3]".
[[nodiscard]] std::string TypeTextOf(const Member& component);

/// The value that the declaration gives, as written; empty if it gives none.
[[nodiscard]] std::string ValueTextOf(const Member& component);

/// The documentation of a class, as Markdown; empty if it has none.
[[nodiscard]] std::string DocumentationOf(const ClassNode& node);

/// HTML of a library as Markdown. Pictures and scripts are left out.
[[nodiscard]] std::string MarkdownOf(std::string_view html);

}  // namespace orrery::modelica::internal
