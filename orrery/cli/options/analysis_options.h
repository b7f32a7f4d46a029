#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Adds `orrery steady` to the command line. Its options go to `command`, its
/// exit code to `status`. All must outlive the parsing.
void AddSteady(CLI::App& app, SteadyCommand& command, int& status);

/// Adds `orrery linearize`, likewise.
void AddLinearize(CLI::App& app, LinearizeCommand& command, int& status);

/// Adds `orrery frequency`, likewise.
void AddFrequency(CLI::App& app, LinearizeCommand& command, int& status);

}  // namespace orrery::cli
