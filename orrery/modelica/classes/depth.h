#pragma once

namespace orrery::modelica::internal {

/// What is said where the stack would end: nested formulas, and names that are
/// defined by others in turn, are followed by functions that call themselves.
inline constexpr const char* kTooDeep =
    "this is nested too deeply, or defined by way of too many other names";
inline constexpr const char* kMendDepth =
    "split it, or define some of the names by numbers";

}  // namespace orrery::modelica::internal
