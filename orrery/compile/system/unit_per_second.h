#pragma once

#include <string>
#include <string_view>

namespace orrery::compile::internal {

/// The unit of the derivative by time of a quantity in `unit`, as a person
/// writes it: "m/s" of "m", "m/s2" of "m/s", "J/(kg.s)" of "J/kg".
[[nodiscard]] std::string UnitPerSecond(std::string_view unit);

}  // namespace orrery::compile::internal
