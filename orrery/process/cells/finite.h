#pragma once

#include <string_view>

namespace orrery::process::internal {

/// Returns `number`.
/// @param what its purpose, for messages: "add to an accumulator".
/// @throws Error kInvalidArgument if it is infinite or NaN.
double Finite(std::string_view what, double number);

}  // namespace orrery::process::internal
