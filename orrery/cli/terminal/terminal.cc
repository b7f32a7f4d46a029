#include "orrery/cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

namespace orrery::cli {
namespace {

// Returns an empty text if it is not set. No thread changes the environment.
std::string_view EnvironmentText(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

bool IsDumb() {
  return EnvironmentText("TERM") == "dumb";
}

// The size of a terminal; zeros if it is unknown.
winsize SizeOf(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) {
    size = {};
  }
  return size;
}

}  // namespace

bool PrintsToTerminal() {
  return isatty(STDOUT_FILENO) == 1;
}

bool CanShowProgress() {
  return isatty(STDERR_FILENO) == 1 && !IsDumb();
}

std::string FitToTerminal(std::string line) {
  const std::size_t columns = SizeOf(STDERR_FILENO).ws_col;
  if (columns > 0 && line.size() >= columns) {
    line.resize(columns - 1);  // Some terminals wrap after the last column.
  }
  return line;
}

TerminalOptions TerminalOfUser(int height) {
  constexpr int kLeastWidth = 30;
  constexpr int kLeastHeight = 8;
  constexpr int kMost = 1000;
  TerminalOptions options{.height = height};
  if (!PrintsToTerminal()) {
    return options;
  }
  options.ascii = IsDumb();
  const winsize size = SizeOf(STDOUT_FILENO);
  if (size.ws_col > 0) {
    options.width = std::clamp<int>(size.ws_col, kLeastWidth, kMost);
  }
  if (size.ws_row > 0) {
    options.height = std::clamp<int>(size.ws_row - 2, kLeastHeight, height);
  }
  options.color = !IsDumb() && EnvironmentText("NO_COLOR").empty();
  return options;
}

}  // namespace orrery::cli
