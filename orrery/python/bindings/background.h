#pragma once

#include <memory>

#include "orrery/base/system/attendant.h"

namespace orrery::python {

/// The attendant of all runs of the process: it compiles beside them, in one
/// thread, and ends a run at any point when the Watch of its thread says so.
[[nodiscard]] const std::shared_ptr<Attendant>& TheAttendant();

/// Waits until nothing is compiled any more, before the process ends.
void AwaitBackground();

}  // namespace orrery::python
