#pragma once

#include <span>
#include <string_view>

namespace orrery::modelica::internal {

/// The text of one class of the standard library, most often a package.
struct LibraryText {
  std::string_view name;  ///< "Modelica.Blocks.Math".
  std::string_view file;  ///< "Modelica/Blocks/Math.mo".
  std::string_view text;
};

/// All texts, embedded when the program was built; each package precedes its
/// contents.
[[nodiscard]] std::span<const LibraryText> StandardLibrary() noexcept;

}  // namespace orrery::modelica::internal
