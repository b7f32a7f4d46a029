#pragma once

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Carries out runs for others until it is told to end.
/// @returns the exit code.
int Worker(const WorkerCommand& command);

}  // namespace orrery::cli
