#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace orrery::cli {

/// Reads a command line and does what the subcommands' callbacks do.
/// @returns `status`, which these set, or 0 after help or the version.
/// @throws Error kInvalidArgument for what it cannot read, saying what would
///     mend it; what callbacks throw.
int ReadCommandLine(CLI::App& app,
                    int argc,
                    const char* const* argv,
                    const int& status);

/// Prints how the command, or its part `name`, is used.
/// @throws Error kInvalidArgument if there is no such part.
void PrintHelp(const CLI::App& app, const std::string& name);

/// Adds the part `help`.
/// @param about must outlive the parsing.
void AddHelp(CLI::App& app, std::string& about);

}  // namespace orrery::cli
