#pragma once

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Runs a model and reports. Names and files are checked before the run.
/// @returns the exit code.
/// @throws Error as loading and running do.
int Run(const RunCommand& given);

}  // namespace orrery::cli
