#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace orrery::cli {

/// Limits what models may do besides computing, by the environment variable
/// ORRERY_EXTERNAL; called before a command line is read. A command that
/// carries out a model runs external functions only of trusted models: those in
/// the folders of `orrery trust`, or of MODELICAPATH. All other commands run
/// none. A setting of the user stays, within these limits.
void LimitModels(std::string_view command);

/// Trusts a folder until the program ends, unless models may run no external
/// functions at all.
void TrustForNow(const std::string& folder);

/// Adds `--external`.
void AddExternal(CLI::App& app);

/// Adds the command `trust`.
void AddTrust(CLI::App& app);

}  // namespace orrery::cli
