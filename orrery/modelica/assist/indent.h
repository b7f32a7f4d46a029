#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/modelica/workspace/document.h"

namespace orrery::modelica {

/// White-space at the beginning of a line that is replaced.
struct Indent {
  ast::Span span;
  std::string text;
};

/// Changes that indent a text by `width` spaces a level. Nothing else changes:
/// no line is broken or joined. Lines that begin in a string or comment stay.
/// @returns nothing for a text with errors.
[[nodiscard]] std::vector<Indent> IndentsOf(const Document& document,
                                            std::size_t width);

}  // namespace orrery::modelica
