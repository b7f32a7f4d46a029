#pragma once

#include <string_view>

#include <CLI/CLI.hpp>

namespace orrery::cli {

/// Before a command line is read: says what models may do beside computing, by
/// the environment variable ORRERY_EXTERNAL. A command that carries a model out
/// runs external functions of those models only that the user trusts: in the
/// folders of `orrery trust`, or of MODELICAPATH. All other commands run none.
/// What the user has set stays, but for that.
void LimitModels(std::string_view command);

/// Adds `--external`.
void AddExternal(CLI::App& app);

/// Adds the command `trust`.
void AddTrust(CLI::App& app);

}  // namespace orrery::cli
