#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/modelica/text_edits/edited_text.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// A replaceable class and what is to stand for it, as in `redeclare package
/// Medium = Water`.
struct ClassChoice {
  std::string kind;  ///< "package".
  std::string name;  ///< "Medium".
  /// "Water"; none: what the type declares is to hold.
  std::optional<std::string> type;
};

/// Chooses a class of a declared thing. Modifiers of the former class go.
/// @param modification of the thing; may be null.
/// @param name_end where its modification begins or is to begin.
void ChooseClass(const ast::Modification* modification,
                 std::uint32_t name_end,
                 const ClassChoice& choice,
                 std::vector<TextEdit>& edits);

/// Sets a modifier of a chosen class: that of `Water(k=3)` for the path {"k"}.
/// @param text the new value; none to take the modifier away.
void SetModifierOf(const ast::ShortClass& chosen,
                   const std::vector<std::string>& path,
                   const std::optional<std::string>& text,
                   std::vector<TextEdit>& edits);

}  // namespace orrery::modelica::internal
