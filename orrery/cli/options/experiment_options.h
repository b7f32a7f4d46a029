#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/commands/commands.h"

namespace orrery::cli {

/// Adds `orrery sweep`; what is asked for goes to `command`, which must outlive
/// the parsing, and what becomes of it to `status`.
void AddSweep(CLI::App& app, SweepCommand& command, int& status);

/// Likewise `orrery calibrate`.
void AddCalibrate(CLI::App& app, CalibrateCommand& command, int& status);

/// Likewise `orrery sensitivity`.
void AddSensitivity(CLI::App& app, SweepCommand& command, int& status);

}  // namespace orrery::cli
