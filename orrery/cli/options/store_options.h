#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/commands/experiments/store_commands.h"

namespace orrery::cli {

/// Adds list, show, rerun, resume, compare, export, delete, tag, untag and
/// note.
void AddStoreCommands(CLI::App& app, StoreCommand& command, int& status);

}  // namespace orrery::cli
