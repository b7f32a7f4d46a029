#pragma once

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Runs an FMU and reports.
/// @returns the exit code.
/// @throws Error as MakeSteppedRun and CarryOutRun.
int RunFmu(const RunCommand& given);

}  // namespace orrery::cli
