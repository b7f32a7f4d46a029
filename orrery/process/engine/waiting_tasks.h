#pragma once

#include <vector>

#include "orrery/process/types/options.h"

namespace orrery::process::internal {

class Run;

/// The tasks that wait without a time, by their names.
[[nodiscard]] std::vector<WaitingTask> WaitingTasks(const Run& run);

}  // namespace orrery::process::internal
