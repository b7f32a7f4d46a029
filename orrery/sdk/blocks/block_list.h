#pragma once

#include <span>
#include <string_view>

#include "orrery/modelica/library.h"

namespace orrery {

/// A ready-made block, for people.
struct BlockEntry {
  std::string_view name;      ///< As it is written: `W`, `Gain`.
  std::string_view language;  ///< Where: "netlist", "C++".
  std::string_view form;      ///< How it is written with all its fields.
  std::string_view equation;
  std::string_view meaning;  ///< One line.
};

/// The blocks of netlists and of C++. Those of Modelica, which C++ can use too,
/// are listed by modelica::ListLibrary().
[[nodiscard]] std::span<const BlockEntry> ListBlocks() noexcept;

}  // namespace orrery
