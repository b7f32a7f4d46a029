#pragma once

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Seeks the best values for a model and reports.
/// @returns the exit code: kModelFailed if none are found.
int Optimize(const OptimizeCommand& command);

}  // namespace orrery::cli
