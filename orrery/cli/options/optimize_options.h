#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Adds `orrery optimize`. Its options go to `command`, its exit code to
/// `status`. Both must outlive the parsing.
void AddOptimize(CLI::App& app, OptimizeCommand& command, int& status);

}  // namespace orrery::cli
