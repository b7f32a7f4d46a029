#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Adds `orrery calibrate`. Its options go to `command`, its exit code to
/// `status`. Both must outlive the parsing.
void AddCalibrate(CLI::App& app, CalibrateCommand& command, int& status);

}  // namespace orrery::cli
