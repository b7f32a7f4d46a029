#pragma once

namespace orrery::cli {

/// Reads the command line and does what it says.
/// @returns the exit code.
/// @throws Error as the commands do.
int Main(int argc, const char* const* argv);

}  // namespace orrery::cli
