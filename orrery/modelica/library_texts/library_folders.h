#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/files/file_set.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// Finds top-level classes that no text defines in folders (specification 3.6,
/// section 13.4): as `Name/package.mo`, as `Name.mo`, or as the newest
/// `Name VERSION/package.mo` or `Name VERSION.mo`. Of several in all folders,
/// the first with the version that a text uses comes before others.
class LibraryFolders {
 public:
  /// Nowhere.
  LibraryFolders() = default;

  /// Searches the folder around the text, or around its outermost package; then
  /// the folders in the environment variable MODELICAPATH. Files in `files` are
  /// found in any folder, so that a stored run can be repeated where the
  /// folders do not exist.
  LibraryFolders(const ast::StoredDefinition& text, FileSet files);

  /// Searches these folders, in order.
  LibraryFolders(std::vector<std::string> folders, FileSet files);

  /// Prefers this version of a library that has not been found yet. The first
  /// preference for a library counts.
  void Prefer(const std::string& library, const std::string& version);

  /// The path of the file with that class; none if there is no such file.
  std::optional<std::string> Find(std::string_view name);

  /// The names and the paths of the classes in files of their own that are
  /// right in the package whose file `path` is; none if that is no folder.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> PartsOf(
      const std::string& path) const;

  [[nodiscard]] const FileSet& files() const noexcept { return files_; }

 private:
  [[nodiscard]] std::optional<std::string> Search(std::string_view name);
  [[nodiscard]] std::vector<std::string> FilesOf(std::string_view name);
  [[nodiscard]] std::vector<std::string> VersionsIn(const std::string& folder,
                                                    std::string_view name);
  const std::vector<std::string>& SpacedNamesIn(const std::string& folder);

  FileSet files_;
  std::vector<std::string> folders_;
  std::unordered_map<std::string, std::vector<std::string>> spaced_names_;
  std::unordered_map<std::string, std::string> preferred_versions_;
  std::unordered_map<std::string, std::optional<std::string>> known_;
};

/// The numbers of a version: "4.0.0" of "4.0.0+build.2".
[[nodiscard]] std::string_view MainVersion(std::string_view version);

/// The folder that contains the text's outermost package.
[[nodiscard]] std::string FolderOf(const ast::StoredDefinition& text);

}  // namespace orrery::modelica::internal
