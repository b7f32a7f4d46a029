#pragma once

namespace orrery::process::internal {

class Run;

/// Registers the delays, waits and calls in which the steps of the batch have
/// ended.
/// @returns true if a step has ended its task.
[[nodiscard]] bool RegisterWaits(Run& run);

/// Cancels and interrupts tasks, as the steps of the batch have asked for.
void ApplyOperations(Run& run);

}  // namespace orrery::process::internal
