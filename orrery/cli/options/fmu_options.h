#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/commands/fmu_commands.h"

namespace orrery::cli {

/// Adds `orrery fmu` with its commands. Values of options go to `command`,
/// which must outlive the parsing.
void AddFmu(CLI::App& app, FmuExportCommand& command, int& status);

}  // namespace orrery::cli
