#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Adds `orrery sweep`. Its options go to `command`, its exit code to `status`.
/// Both must outlive the parsing.
void AddSweep(CLI::App& app, SweepCommand& command, int& status);

/// Adds `orrery sensitivity`, likewise.
void AddSensitivity(CLI::App& app, SweepCommand& command, int& status);

}  // namespace orrery::cli
