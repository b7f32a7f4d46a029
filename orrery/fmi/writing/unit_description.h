#pragma once

#include <string>

#include "orrery/fmi/description.h"

namespace orrery::fmi {

/// A unit of Modelica's notation as FMI describes it; without a base if it has
/// none there.
[[nodiscard]] Unit UnitCalled(const std::string& name);

}  // namespace orrery::fmi
