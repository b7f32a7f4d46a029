#pragma once

#include <string>

#include "orrery/sdk/results.h"

namespace orrery::cli {

/// True if the standard output is a terminal.
[[nodiscard]] bool PrintsToTerminal();

/// True if progress can be shown: the standard error is a terminal that can
/// overwrite a line. With TERM=dumb it cannot.
[[nodiscard]] bool CanShowProgress();

/// `line`, cut to the width of the terminal at the standard error.
[[nodiscard]] std::string FitToTerminal(std::string line);

/// The capabilities of the standard output: the width of the terminal, colours
/// unless NO_COLOR is set (https://no-color.org), ASCII only if TERM is "dumb".
/// Without a terminal: 80 columns, no colours.
/// @param height in lines, if the terminal has as many.
[[nodiscard]] TerminalOptions TerminalOfUser(int height = 20);

}  // namespace orrery::cli
