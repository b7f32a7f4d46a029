#include "orrery/sdk/reports/value_text.h"

#include <cmath>

#include <fmt/format.h>

namespace orrery {

std::string NumberText(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.6g}", value);
}

std::string NameOfValue(const std::vector<std::string>& names, double value) {
  const bool may_be_named = value >= 0 && value == std::floor(value) &&
                            value < static_cast<double>(names.size());
  return may_be_named ? names[static_cast<std::size_t>(value)] : "";
}

std::string ValueText(const std::vector<std::string>& names, double value) {
  const std::string name = NameOfValue(names, value);
  return name.empty() ? NumberText(value) : name;
}

}  // namespace orrery
