#pragma once

#include <span>

#include "orrery/modelica/builtins/built_in_call.h"

/// The operators of synchronous models (specification 3.6, chapter 16).
namespace orrery::modelica::internal {

/// The functions of this subject.
std::span<const BuiltInEntry> ClockBuiltIns();

/// True for a clock.
bool IsClock(const BuiltInCall& call, const Value& value);

/// The operator sample() of a clock.
/// @param clock empty where it is to be inferred.
Value LowerSampleClocked(const BuiltInCall& call,
                         const BuiltInArguments& arguments,
                         Expr clock);

}  // namespace orrery::modelica::internal
