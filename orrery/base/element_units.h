#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// The units of an array's elements, row-major, as one text: a single unit if
/// all are the same, else all of them, "{m/s,m}".
[[nodiscard]] std::string JoinUnits(std::span<const std::string> units);

/// Returns the unit of one element from such a text; empty if there is none.
[[nodiscard]] std::string UnitOfElement(std::string_view units,
                                        std::size_t element);

/// Returns the unit of each element; a single one if the text is one unit.
[[nodiscard]] std::vector<std::string> SplitUnits(std::string_view units);

/// True if the text lists different units of elements.
[[nodiscard]] bool AreDifferentUnits(std::string_view units) noexcept;

}  // namespace orrery
