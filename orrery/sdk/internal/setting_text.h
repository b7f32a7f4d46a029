#pragma once

#include "orrery/base/parameters.h"
#include "orrery/base/setting.h"

namespace orrery::internal {

/// A setting of a quantity of equations: a number, `true` or `false`.
/// @throws Error kInvalidArgument for another text.
[[nodiscard]] Setting ToSetting(const ParameterText& text);

}  // namespace orrery::internal
