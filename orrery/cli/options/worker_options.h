#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/commands/commands.h"

namespace orrery::cli {

/// The options that say where many runs are carried out; what is asked for goes
/// to `where`, which must outlive the parsing.
void AddWhereToRun(CLI::App& app, WhereToRun& where);

/// Adds `orrery worker`; likewise, and what becomes of it goes to `status`.
void AddWorker(CLI::App& app, WorkerCommand& command, int& status);

}  // namespace orrery::cli
