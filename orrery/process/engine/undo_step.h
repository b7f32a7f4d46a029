#pragma once

namespace orrery::process::internal {

class Run;

/// Undoes the step at work, which throws: all its effects. But units that its
/// task held go back, and tasks that it had called end.
void UndoStep(Run& run);

}  // namespace orrery::process::internal
