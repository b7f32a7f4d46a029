#pragma once

#include <span>

#include "orrery/modelica/builtins/built_in_call.h"

/// The operator der().
namespace orrery::modelica::internal {

/// The functions of this subject.
std::span<const BuiltInEntry> DerivativeBuiltIns();

}  // namespace orrery::modelica::internal
