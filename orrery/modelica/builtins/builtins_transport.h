#pragma once

#include <span>
#include <vector>

#include "orrery/modelica/builtins/built_in_call.h"

/// The transport along a way, `spatialDistribution` (specification, section
/// 3.7.4.2).
namespace orrery::modelica::internal {

/// The functions of this subject.
std::span<const BuiltInEntry> TransportBuiltIns();

/// Both outputs of `spatialDistribution`: what is at its ends 0 and 1.
std::vector<Value> LowerTransport(const BuiltInCall& call,
                                  const BuiltInArguments& arguments);

}  // namespace orrery::modelica::internal
