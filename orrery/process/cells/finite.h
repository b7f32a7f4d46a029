#pragma once

#include <string_view>

namespace orrery::process::internal {

/// The number itself.
/// @param what what it is given for: "add to an accumulator".
/// @throws Error kInvalidArgument if it is infinite or not a number.
double Finite(std::string_view what, double number);

}  // namespace orrery::process::internal
