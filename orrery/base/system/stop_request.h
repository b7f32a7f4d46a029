#pragma once

namespace orrery {

/// Tells all work of this process that its user wants an end. A handler of a
/// signal may call it.
void RequestStop() noexcept;

/// Whether that was told. For what waits where no `goes_on` reaches it.
[[nodiscard]] bool IsStopRequested() noexcept;

}  // namespace orrery
