#pragma once

#include <CLI/CLI.hpp>

#include "orrery/cli/internal/commands.h"

namespace orrery::cli {

// What is asked for goes to `command`, which must outlive the parsing.

/// The options of `orrery run`, for models of any kind.
void AddRunOptions(CLI::App& app, RunCommand& command);

/// Those of the run of a DEVS model alone.
void AddDevsRunOptions(CLI::App& app, RunCommand& command);

/// Refuses what was given and means nothing to the kind of model that the
/// command's file is.
/// @throws Error kInvalidArgument
void CheckOptionsFit(const CLI::App& app, const RunCommand& command);

}  // namespace orrery::cli
