#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/commands/commands.h"

namespace orrery::cli {

/// Adds `orrery steady` to the command line; what it is asked for goes to
/// `command`, its exit code to `status`. All must outlive the parsing.
void AddSteady(CLI::App& app, SteadyCommand& command, int& status);

/// Likewise `orrery linearize`.
void AddLinearize(CLI::App& app, LinearizeCommand& command, int& status);

/// Likewise `orrery frequency`.
void AddFrequency(CLI::App& app, LinearizeCommand& command, int& status);

}  // namespace orrery::cli
