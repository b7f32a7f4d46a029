#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace orrery::cli {

/// Reads a command line and runs the callbacks of the subcommands.
/// @returns `status`, which the callbacks set, or 0 after help or the version.
/// @throws Error kInvalidArgument for an unreadable command line, with a
///     remedy; whatever callbacks throw.
int ReadCommandLine(CLI::App& app,
                    int argc,
                    const char* const* argv,
                    const int& status);

/// Prints the usage of the command, or of its subcommand `name`.
/// @throws Error kInvalidArgument if there is no such subcommand.
void PrintHelp(const CLI::App& app, const std::string& name);

/// Adds the subcommand `help`.
/// @param about must outlive the parsing.
void AddHelp(CLI::App& app, std::string& about);

}  // namespace orrery::cli
