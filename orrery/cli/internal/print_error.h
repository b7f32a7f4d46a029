#pragma once

#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace orrery::cli {

/// As fmt::print to the standard error. What cannot be written there is lost,
/// but nothing else: results are still to be saved.
template <typename... Arguments>
void PrintError(fmt::format_string<Arguments...> format,
                Arguments&&... arguments) {
  std::fputs(fmt::format(format, std::forward<Arguments>(arguments)...).c_str(),
             stderr);
}

}  // namespace orrery::cli
