#pragma once

#include "orrery/cli/request/requests.h"
#include "orrery/sdk/classes/process_model.h"

namespace orrery::cli {

/// Carries out plans that come by standard input, until its end. Each line is
/// an object of JSON: `text` is a plan, `name` its name in messages, `id` comes
/// back with the answer; `from`, `to` and `px` choose what of the run is shown.
/// Without `text`, another part of the last run is shown. Each answer is a line
/// on standard output (see PlanReport), while what the model prints goes to
/// standard error; or at the descriptor of `--report-fd`.
/// @returns the exit code.
/// @throws Error kInvalidArgument for options of runs that are saved or drawn.
int RunResident(const RunCommand& command, const ProcessModel& model);

}  // namespace orrery::cli
