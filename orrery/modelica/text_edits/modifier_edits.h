#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/modelica/text_edits/edited_text.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// Sets what `path` of a declared thing is to be: `{}` its own value, `{"R"}`
/// that of its element R, `{"a", "b"}` that of `a(b=...)` or `a.b=...`,
/// whichever is there.
/// @param modification of the thing; may be null.
/// @param name_end where its modification begins or is to begin.
/// @param text the new value; none to take the modifier away.
void SetModifier(const ast::Modification* modification,
                 std::uint32_t name_end,
                 const std::vector<std::string>& path,
                 const std::optional<std::string>& text,
                 std::vector<TextEdit>& edits);

/// The same for the arguments of an annotation, which must not be null.
void SetArgument(const ast::ClassModification& arguments,
                 const std::vector<std::string>& path,
                 const std::optional<std::string>& text,
                 std::vector<TextEdit>& edits);

/// "a(b=1)" of {"a", "b"} and "1", which must not be empty.
[[nodiscard]] std::string NestedArgument(const std::vector<std::string>& path,
                                         const std::string& text);

/// Adds an argument behind the others.
void AddArgument(const ast::ClassModification& arguments,
                 const std::string& text,
                 std::vector<TextEdit>& edits);

/// Takes argument number `i` away with a comma beside it. It is not the only
/// one.
void RemoveArgument(const ast::ClassModification& arguments,
                    std::size_t i,
                    std::vector<TextEdit>& edits);

/// Adds an argument to an annotation, which is made at `at` if it is null.
void AddAnnotation(const ast::ClassModification* annotation,
                   std::uint32_t at,
                   const std::string& argument,
                   std::vector<TextEdit>& edits);

}  // namespace orrery::modelica::internal
