#pragma once

#include <functional>

namespace orrery::cli {

/// Carries out `command` on a thread with a stack of 512 MiB, so that texts
/// may be nested deeply and name each other in long chains: of the address
/// space, not of the memory, which grows with use. Where the system refuses so
/// much, the stack is smaller, at worst that of the calling thread.
/// @param command must not throw.
/// @returns what `command` returns.
int OnDeepStack(const std::function<int()>& command);

}  // namespace orrery::cli
