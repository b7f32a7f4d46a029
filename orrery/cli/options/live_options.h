#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Adds the options of runs that keep pace with the clock, or that a partner
/// outside takes part in. Their values go to `command`, which must outlive the
/// parsing.
void AddLiveOptions(CLI::App& app, RunCommand& command);

}  // namespace orrery::cli
