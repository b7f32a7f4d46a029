#pragma once

namespace orrery::modelica::internal {

/// The error for a model that would overflow the stack. Recursive functions
/// follow nested formulas and names that are defined by other names.
inline constexpr const char* kTooDeep =
    "this is nested too deeply, or defined by way of too many other names";
inline constexpr const char* kMendDepth =
    "split it, or define some of the names by numbers";

}  // namespace orrery::modelica::internal
