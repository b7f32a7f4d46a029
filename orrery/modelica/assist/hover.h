#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// Text to show about a name.
struct Hover {
  std::string markdown;
  ast::Span span;  ///< The name.
};

/// The declaration, unit, value and documentation of the name at `offset`.
[[nodiscard]] std::optional<Hover> HoverAt(Workspace& workspace,
                                           const Document& document,
                                           std::uint32_t offset);

/// The inputs of the function that is called around `offset`.
struct Signature {
  struct Input {
    std::string name;
    std::string text;  ///< "Real x = 1".
    std::string description;
  };

  std::string label;  ///< "atan2(u1, u2)".
  std::string description;
  std::vector<Input> inputs;
  std::size_t active = 0;  ///< The input at `offset`.
};

[[nodiscard]] std::optional<Signature> SignatureAt(Workspace& workspace,
                                                   const Document& document,
                                                   std::uint32_t offset);

/// The unit of a component whose declaration does not write it.
struct UnitHint {
  std::uint32_t offset = 0;  ///< Behind its name.
  std::string unit;
};

/// The units of the components declared in `range`.
[[nodiscard]] std::vector<UnitHint> UnitHintsIn(Workspace& workspace,
                                                const Document& document,
                                                const ast::Span& range);

}  // namespace orrery::modelica
