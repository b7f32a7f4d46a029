#pragma once

#include <functional>

namespace orrery {

/// Runs `command` on a thread with a stack of 512 MiB, so that texts may be
/// nested deeply and refer to each other in long chains. This reserves address
/// space; memory is used only as the stack grows. If the system refuses, the
/// stack is smaller, at worst that of the calling thread.
/// @param command must not throw.
/// @returns the result of `command`.
int OnDeepStack(const std::function<int()>& command);

}  // namespace orrery
