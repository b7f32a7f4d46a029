#pragma once

#include <span>

#include "orrery/base/diagnostic.h"

namespace orrery::cli {

/// Prints the diagnostics of the compilation of a model, as PrintDiagnostics.
/// @param of_libraries true to print warnings about the texts of libraries,
///     too: those in the folders of the environment variable MODELICAPATH, and
///     the built-in ones. A user of a library cannot fix them.
void PrintModelWarnings(std::span<const Diagnostic> list,
                        bool of_libraries = false);

/// Prints the diagnostics of a model that cannot be made: each once, without
/// warnings about the texts of libraries.
void PrintModelErrors(std::span<const Diagnostic> list);

}  // namespace orrery::cli
