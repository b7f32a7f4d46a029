#pragma once

#include <atomic>
#include <memory>

#include "orrery/base/system/attendant.h"

namespace orrery::python {

/// The attendant of all runs of the process: it compiles beside them, in one
/// thread, and ends a run at any point when the Watch of its thread says so.
[[nodiscard]] const std::shared_ptr<Attendant>& TheAttendant();

/// The same for work in which several threads take part: it also ends once
/// `has_stopped` is true.
[[nodiscard]] std::shared_ptr<Attendant> AttendantUntil(
    std::shared_ptr<const std::atomic<bool>> has_stopped);

/// Waits until nothing is compiled any more, before the process ends.
void AwaitBackground();

}  // namespace orrery::python
