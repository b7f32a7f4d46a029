#include "orrery/base/element_units.h"

#include <algorithm>

namespace orrery {

std::string JoinUnits(std::span<const std::string> units) {
  if (units.empty()) {
    return {};
  }
  const bool are_equal = std::ranges::all_of(
      units, [&](const std::string& unit) { return unit == units.front(); });
  if (are_equal) {
    return units.front();
  }
  std::string text;
  for (const std::string& unit : units) {
    text += (text.empty() ? "{" : ",") + unit;
  }
  return text + "}";
}

std::string UnitOfElement(std::string_view units, std::size_t element) {
  if (!AreDifferentUnits(units)) {
    return std::string(units);
  }
  const std::vector<std::string> parts = SplitUnits(units);
  return element < parts.size() ? parts[element] : std::string();
}

bool AreDifferentUnits(std::string_view units) noexcept {
  return units.starts_with('{');
}

std::vector<std::string> SplitUnits(std::string_view units) {
  if (!AreDifferentUnits(units)) {
    return {std::string(units)};
  }
  units = units.substr(1, units.size() - 2);
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = units.find(',');
    parts.emplace_back(units.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    units.remove_prefix(end + 1);
  }
}

}  // namespace orrery
