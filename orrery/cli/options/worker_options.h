#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Adds the options for the place of many runs. They go to `where`, which must
/// outlive the parsing.
void AddWhereToRun(CLI::App& app, WhereToRun& where);

/// Adds `orrery worker`. Its options go to `command`, its exit code to
/// `status`. Both must outlive the parsing.
void AddWorker(CLI::App& app, WorkerCommand& command, int& status);

}  // namespace orrery::cli
