#pragma once

#include <memory>

#include "orrery/base/system/attendant.h"

namespace orrery::cli {

/// Returns the attendant of all runs of the process. It has one thread, which
/// begins with the first task. Runs go on until an InterruptGuard has recorded
/// a signal.
[[nodiscard]] std::shared_ptr<Attendant> ProcessAttendant();

/// Ends the process at once if a task is still running, since it cannot be
/// interrupted. All permanent output has been written before.
void EndIfBusy(int status);

}  // namespace orrery::cli
