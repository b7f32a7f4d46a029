#pragma once

#include "orrery/cli/request/requests.h"
#include "orrery/sdk/classes/devs_model.h"

namespace orrery::cli {

/// Runs a DEVS model and reports. Names and files are checked before the run.
/// @returns the exit code.
/// @throws Error as loading and running do.
int RunDevs(const RunCommand& command, const DevsModel& model);

/// Says what a DEVS model consists of.
int CheckDevs(const CheckCommand& asked, const DevsModel& model);

}  // namespace orrery::cli
