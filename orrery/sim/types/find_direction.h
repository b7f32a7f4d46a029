#pragma once

#include <string>

#include "orrery/program/program.h"

namespace orrery::sim::internal {

/// The quantity that a run is differentiated by, if it may be.
/// @throws Error kInvalidArgument for a name that there is not.
[[nodiscard]] NamedScalar FindDirection(const NameTable& names,
                                        const std::string& name);

}  // namespace orrery::sim::internal
