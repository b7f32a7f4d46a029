#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/commands/fmu_commands.h"

namespace orrery::cli {

/// Adds `orrery fmu` with its commands. Values of options go to `commands`,
/// which must outlive the parsing.
void AddFmu(CLI::App& app, FmuCommands& commands, int& status);

}  // namespace orrery::cli
