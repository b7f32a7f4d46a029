#pragma once

#include <string>

#include "orrery/fmi/description.h"

namespace orrery::fmi {

/// modelDescription.xml of the version that the description names. Reading it
/// gives the same description. Of FMI 3.0, it writes no clocks, dimensions and
/// names of previous values.
[[nodiscard]] std::string DescriptionText(const Description& description);

}  // namespace orrery::fmi
