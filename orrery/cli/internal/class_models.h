#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/base/parameters.h"
#include "orrery/cli/internal/commands.h"

namespace orrery::cli {

// What commands for DEVS models and for models of tasks share.

/// @param settings NAME=VALUE
/// @throws Error kInvalidArgument for one that is none.
[[nodiscard]] std::vector<ParameterText> ParameterTexts(
    const std::vector<std::string>& settings);

/// @throws Error kInvalidArgument if one of `options` was given, which mean
///     something to `kind` only.
void RefuseGiven(const RunCommand& command,
                 std::span<const char* const> options,
                 const char* kind);

/// Says which files were written.
void TellWritten(const RunCommand& command,
                 const std::vector<std::string>& written);

}  // namespace orrery::cli
