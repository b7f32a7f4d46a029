#pragma once

#include <span>

#include "orrery/modelica/builtins/built_in_call.h"

/// Questions about connectors and instances.
namespace orrery::modelica::internal {

/// The functions of this subject.
std::span<const BuiltInEntry> ConnectorBuiltIns();

}  // namespace orrery::modelica::internal
