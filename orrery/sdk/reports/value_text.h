#pragma once

#include <string>
#include <vector>

namespace orrery {

/// A number with six digits; "-" for NaN.
[[nodiscard]] std::string NumberText(double value);

/// Returns the name of a value by `SignalInfo::value_names`; empty if it has
/// none.
[[nodiscard]] std::string NameOfValue(const std::vector<std::string>& names,
                                      double value);

/// The name of the value, if it has one; otherwise NumberText.
[[nodiscard]] std::string ValueText(const std::vector<std::string>& names,
                                    double value);

}  // namespace orrery
