#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/files/file_set.h"

namespace orrery::modelica {

/// A library: a top-level class in a file or a folder of its own
/// (specification 3.6, section 13.4).
struct Library {
  std::string name;
  std::string version;  ///< By the folder's name or annotation; may be empty.
  std::string file;     ///< Its text, or the package.mo of its folder.
};

/// The folders in a list as in the environment variable MODELICAPATH, with `:`
/// between them.
[[nodiscard]] std::vector<std::string> FoldersIn(std::string_view list);

/// Lists the libraries in these folders, in their order, those of a folder by
/// name. Of two with one name and version, only the first can be used, and only
/// that one is listed. A file `X.mo` is listed if it holds a package.
[[nodiscard]] std::vector<Library> LibrariesIn(
    const std::vector<std::string>& folders);

/// The file of the top-level class that models find by `name` in these folders;
/// none if there is none.
[[nodiscard]] std::optional<std::string> FileOfLibrary(
    std::string_view name, const std::vector<std::string>& folders);

namespace internal {

/// The package in the file at `path`; none if that holds anything else, or
/// cannot be read.
[[nodiscard]] std::optional<Library> LibraryIn(const std::string& path,
                                               const FileSet& files);

}  // namespace internal
}  // namespace orrery::modelica
