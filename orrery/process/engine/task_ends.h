#pragma once

namespace orrery::process::internal {

class Run;

/// Ends the tasks whose last step was in the batch, and tells those that wait
/// for them of their results and exceptions.
/// @throws Error kInvalidModel if a task has failed and nobody is told of it.
void EndTasks(Run& run);

}  // namespace orrery::process::internal
