#pragma once

#include <span>

#include "orrery/modelica/builtins/built_in_call.h"

/// Sizes of arrays.
namespace orrery::modelica::internal {

/// The functions of this subject.
std::span<const BuiltInEntry> SizeBuiltIns();

}  // namespace orrery::modelica::internal
