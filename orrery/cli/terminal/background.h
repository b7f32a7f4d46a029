#pragma once

#include <memory>

#include "orrery/base/system/attendant.h"

namespace orrery::cli {

/// What looks after all runs of the process: it has one thread, which begins
/// with the first task, and the work goes on until an InterruptGuard has noted
/// a signal.
[[nodiscard]] std::shared_ptr<Attendant> ProcessAttendant();

/// Ends the process at once if a task is still at work: it cannot be
/// interrupted. All that is to last has been written before.
void EndIfBusy(int status);

}  // namespace orrery::cli
