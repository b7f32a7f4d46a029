#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace orrery::modelica::internal {

/// The text of one class of the standard library, most often a package.
struct LibraryText {
  std::string_view name;  ///< "Modelica.Blocks.Math".
  std::string_view file;  ///< "Modelica/Blocks/Math.mo".
  std::string_view text;
};

/// Choice whether classes of the Modelica Standard Library that are implemented
/// in C have built-in ones in their places, which can be run, or are as a user
/// reads them.
enum class LibraryTexts : std::uint8_t { kForRuns, kAsWritten };

/// All texts, embedded when the program was built; each package precedes its
/// contents.
[[nodiscard]] std::span<const LibraryText> StandardLibrary() noexcept;

}  // namespace orrery::modelica::internal
