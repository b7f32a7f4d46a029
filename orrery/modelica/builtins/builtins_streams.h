#pragma once

#include <span>

#include "orrery/modelica/builtins/built_in_call.h"

/// The operators of stream connectors (specification 3.6, sections 15.2 and
/// 15.3).
namespace orrery::modelica::internal {

/// The functions of this subject.
std::span<const BuiltInEntry> StreamBuiltIns();

}  // namespace orrery::modelica::internal
