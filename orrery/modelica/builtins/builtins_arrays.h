#pragma once

#include <span>

#include "orrery/modelica/builtins/built_in_call.h"

/// Functions of arrays (specification 3.6, section 10.3).
namespace orrery::modelica::internal {

/// The functions of this subject.
std::span<const BuiltInEntry> ArrayBuiltIns();

}  // namespace orrery::modelica::internal
