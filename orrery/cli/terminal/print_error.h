#pragma once

#include <cstdio>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/diagnostic.h"

namespace orrery::cli {

/// As fmt::print to the standard error, after what was printed so far, should
/// both go to one place. What cannot be written there is lost, but nothing
/// else: results are still to be saved.
template <typename... Arguments>
void PrintError(fmt::format_string<Arguments...> format,
                Arguments&&... arguments) {
  std::fflush(stdout);
  std::fputs(fmt::format(format, std::forward<Arguments>(arguments)...).c_str(),
             stderr);
}

/// Likewise, each with its place.
inline void PrintDiagnostics(std::span<const Diagnostic> list) {
  PrintError("{}", Render(list));
}

}  // namespace orrery::cli
