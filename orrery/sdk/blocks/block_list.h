#pragma once

#include <span>
#include <string_view>

#include "orrery/modelica/library.h"

namespace orrery {

/// The description of a ready-made block.
struct BlockEntry {
  std::string_view name;      ///< As in a model: `W`, `Gain`.
  std::string_view language;  ///< "netlist" or "C++".
  std::string_view form;      ///< Its syntax with all fields.
  std::string_view equation;
  std::string_view meaning;  ///< One line.
};

/// The blocks of netlists and of C++. modelica::ListLibrary() lists those of
/// Modelica, which C++ can also use.
[[nodiscard]] std::span<const BlockEntry> ListBlocks() noexcept;

}  // namespace orrery
