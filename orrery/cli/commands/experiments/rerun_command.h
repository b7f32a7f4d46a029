#pragma once

#include "orrery/cli/commands/experiments/store_commands.h"

namespace orrery::cli {

/// Runs an experiment again, with other settings if given; otherwise tells if
/// the results are the same.
int Rerun(const StoreCommand& command);

/// Carries out the missing and failed runs of an experiment.
int Resume(const StoreCommand& command);

}  // namespace orrery::cli
