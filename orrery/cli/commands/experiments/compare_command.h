#pragma once

#include "orrery/cli/commands/experiments/store_commands.h"

namespace orrery::cli {

/// Compares the results of two experiments.
int Compare(const StoreCommand& command);

}  // namespace orrery::cli
