#pragma once

#include <span>

#include "orrery/modelica/builtins/built_in_call.h"

/// Operators and conversions of single values.
namespace orrery::modelica::internal {

/// The functions of this subject.
std::span<const BuiltInEntry> ScalarBuiltIns();

/// The function String(), which is known where it is not in a function.
Value LowerStringBuiltIn(const BuiltInCall& call);

}  // namespace orrery::modelica::internal
