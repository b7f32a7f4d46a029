#pragma once

#include <string>

#include "orrery/sdk/results.h"

namespace orrery::cli {

/// Whether what is printed goes to a terminal.
[[nodiscard]] bool PrintsToTerminal();

/// Whether progress can be shown: the standard error is a terminal that can
/// write a line anew. One with TERM=dumb cannot.
[[nodiscard]] bool CanShowProgress();

/// `line` as far as the terminal at the standard error has columns for it.
[[nodiscard]] std::string FitToTerminal(std::string line);

/// What the standard output can show: as wide as the terminal there, in colours
/// unless NO_COLOR is set (https://no-color.org), in nothing but ASCII where
/// TERM is "dumb". Where it is no terminal, 80 columns without colours.
/// @param height in lines, if there are so many.
[[nodiscard]] TerminalOptions TerminalOfUser(int height = 20);

}  // namespace orrery::cli
