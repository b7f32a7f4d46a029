#pragma once

#include <span>

#include "orrery/modelica/builtins/built_in_call.h"

/// The operators that make events, keep from making them or look across them
/// (specification, sections 3.7.3 to 3.7.5).
namespace orrery::modelica::internal {

/// The functions of this subject.
std::span<const BuiltInEntry> EventBuiltIns();

}  // namespace orrery::modelica::internal
