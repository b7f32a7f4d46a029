#pragma once

#include <string>
#include <vector>

namespace orrery::modelica {

/// A unit that may be chosen: a value y in the declared unit is
/// `factor * x + offset` for x in this one.
struct UnitChoice {
  std::string name;
  double factor = 1;
  double offset = 0;
};

/// The units of the same dimension as `unit`, which comes first; the usual ones
/// next. Only `unit` itself if it is not known; none for an empty text.
[[nodiscard]] std::vector<UnitChoice> UnitMenu(const std::string& unit);

}  // namespace orrery::modelica
