#pragma once

#include <string>

#include "orrery/program/program.h"

namespace orrery::internal {

/// What a run may be differentiated by, if it is given to it.
/// @throws Error kInvalidArgument for a name that there is not.
[[nodiscard]] NamedScalar FindDirection(const NameTable& names,
                                        const std::string& name);

}  // namespace orrery::internal
