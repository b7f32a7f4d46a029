#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/commands/commands.h"

namespace orrery::cli {

/// Adds `orrery optimize`; what is asked for goes to `command`, which must
/// outlive the parsing, and what becomes of it to `status`.
void AddOptimize(CLI::App& app, OptimizeCommand& command, int& status);

}  // namespace orrery::cli
