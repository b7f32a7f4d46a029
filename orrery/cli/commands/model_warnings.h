#pragma once

#include <span>

#include "orrery/base/diagnostic.h"

namespace orrery::cli {

/// As PrintDiagnostics, of what was found when a model was compiled.
/// @param of_libraries whether warnings about the texts of libraries are
///     printed, too: of those in the folders that the environment variable
///     MODELICAPATH lists and of those that are built in. Who uses a library
///     cannot mend them.
void PrintModelWarnings(std::span<const Diagnostic> list,
                        bool of_libraries = false);

}  // namespace orrery::cli
