#pragma once

namespace orrery {

/// Tells all work of this process that its user wants an end. A signal handler
/// may call it.
void RequestStop() noexcept;

/// True after RequestStop(). For waits that have no `goes_on`.
[[nodiscard]] bool IsStopRequested() noexcept;

}  // namespace orrery
