#pragma once

#include <span>

#include "orrery/modelica/builtins/built_in_call.h"

/// The operators of state machines (specification, chapter 17).
namespace orrery::modelica::internal {

/// The functions of this subject.
std::span<const BuiltInEntry> StateBuiltIns();

}  // namespace orrery::modelica::internal
