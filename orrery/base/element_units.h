#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// The units of an array's elements, row-major, as one text: the unit itself
/// where all have the same, else all of them, "{m/s,m}".
[[nodiscard]] std::string JoinUnits(std::span<const std::string> units);

/// Of such a text, the unit of one element; empty if there is none.
[[nodiscard]] std::string UnitOfElement(std::string_view units,
                                        std::size_t element);

/// The unit of each element; one for a text that is of all.
[[nodiscard]] std::vector<std::string> SplitUnits(std::string_view units);

/// Whether it is that of elements with different units.
[[nodiscard]] bool AreDifferentUnits(std::string_view units) noexcept;

}  // namespace orrery
