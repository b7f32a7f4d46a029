#pragma once

#include <string>

#include "orrery/sim/saved_run.h"

namespace orrery {

/// Reads a run that `WriteSavedRun` has written.
/// @throws Error kIo if it cannot be read, kInvalidModel, with the path, for a
///     file that is no saved run, damaged, or of another version.
[[nodiscard]] SavedRun ReadSavedRun(const std::string& path);

/// Writes a saved run; the file appears whole or not at all.
/// @throws Error kIo.
void WriteSavedRun(const std::string& path, const SavedRun& saved);

}  // namespace orrery
