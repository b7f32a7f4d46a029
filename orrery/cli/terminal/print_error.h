#pragma once

#include <cstdio>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/diagnostic.h"

namespace orrery::cli {

/// Prints to the standard error, after flushing the standard output, since both
/// may go to one place. Ignores errors of writing: results are still to be
/// saved.
template <typename... Arguments>
void PrintError(fmt::format_string<Arguments...> format,
                Arguments&&... arguments) {
  std::fflush(stdout);
  std::fputs(fmt::format(format, std::forward<Arguments>(arguments)...).c_str(),
             stderr);
}

/// Prints diagnostics to the standard error, each with its place.
inline void PrintDiagnostics(std::span<const Diagnostic> list) {
  PrintError("{}", Render(list));
}

}  // namespace orrery::cli
