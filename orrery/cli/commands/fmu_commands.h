#pragma once

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Says what an FMU is, has and can do, with all that is wrong with it. No code
/// of it is run.
/// @returns the exit code.
/// @throws Error kInvalidModel with all findings if one is an error.
int CheckFmu(const CheckCommand& asked);

}  // namespace orrery::cli
