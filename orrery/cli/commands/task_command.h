#pragma once

#include "orrery/cli/request/requests.h"
#include "orrery/sdk/classes/process_model.h"

namespace orrery::cli {

/// Runs a model of tasks and reports. Names and files are checked before the
/// run.
/// @returns the exit code.
/// @throws Error as loading and running do.
int RunTasks(const RunCommand& asked, const ProcessModel& model);

/// Says what a model of tasks consists of, and checks a plan for it.
int CheckTasks(const CheckCommand& asked, const ProcessModel& model);

}  // namespace orrery::cli
