#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace orrery::cli {

/// The folders of libraries: those of `--library`, then those in the
/// environment variable MODELICAPATH.
[[nodiscard]] std::vector<std::string> LibraryFolders();

/// This folder, then LibraryFolders: where a class is looked for by its name.
[[nodiscard]] std::vector<std::string> FoldersOfClasses();

/// Adds `--library DIR`, which may be given several times. Its folders come
/// before those of MODELICAPATH, and are trusted like them.
void AddLibraries(CLI::App& app);

/// A class in place of a file, as in `orrery run
/// Modelica.Blocks.Examples.PID_Controller`: puts the file of its library and
/// its name there. Leaves names of files as they are.
/// @throws Error kInvalidArgument if `file` names a class and its library is
///     not found.
void FindClassOf(std::string& file, std::string& class_name);

}  // namespace orrery::cli
