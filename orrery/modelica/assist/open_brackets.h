#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/modelica/workspace/name_target.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica::internal {

/// A `(` that is not closed before a place.
struct OpenBracket {
  std::vector<ast::Identifier> name;  ///< In front of it: `a.b`; may be empty.
  std::size_t token = 0;              ///< The number of the bracket's token.
  std::size_t first = 0;              ///< The number of the name's first token.
  std::size_t commas = 0;             ///< Arguments before the place.
  std::string argument;               ///< `n` in `f(n = |`; may be empty.
};

/// The open parentheses in the item around `offset`, the outermost first. Found
/// among the tokens, so that the text may be broken there.
[[nodiscard]] std::vector<OpenBracket> OpenBracketsAt(const Document& document,
                                                      std::uint32_t offset);

/// The number of the first token of the item (declaration, equation) around
/// token number `at`.
[[nodiscard]] std::size_t ItemBegin(const Document& document, std::size_t at);

/// The dotted name that ends with token number `end - 1`, without subscripts:
/// `a.b` of `x + a[1].b`. Empty if that is no identifier.
/// @param first gets the number of its first token.
[[nodiscard]] std::vector<ast::Identifier> NameBefore(const Document& document,
                                                      std::size_t end,
                                                      std::size_t& first);

/// The scope of names at `offset`: of the innermost class there whose look-up
/// works; the global scope outside of all.
[[nodiscard]] Scope* ScopeAt(Workspace& workspace,
                             const Document& document,
                             std::uint32_t offset);

}  // namespace orrery::modelica::internal
