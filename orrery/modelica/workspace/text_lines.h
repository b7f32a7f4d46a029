#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// "\n" or "\r\n", as the text has it.
[[nodiscard]] std::string LineEndOf(std::string_view text);

/// The white-space at the beginning of the line of `offset`.
[[nodiscard]] std::string IndentAt(std::string_view text, std::uint32_t offset);

/// True if only white-space stands before `offset` in its line.
[[nodiscard]] bool IsFirstInLine(std::string_view text, std::uint32_t offset);

/// Behind the line comment that follows an item's end, else that end.
[[nodiscard]] std::uint32_t BehindComment(std::string_view text,
                                          std::uint32_t end);

/// An item and, if nothing else stands in its lines, all of them; else one of
/// the spaces around it goes with it.
[[nodiscard]] ast::Span WithLines(std::string_view text, const ast::Span& item);

}  // namespace orrery::modelica::internal
