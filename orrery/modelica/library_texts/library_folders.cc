#include "orrery/modelica/library_texts/library_folders.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "orrery/modelica/library_texts/libraries.h"
#include "orrery/modelica/library_texts/package_folder.h"

namespace orrery::modelica::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPackage = "package.mo";
constexpr std::string_view kEnding = ".mo";

// The numbers in "4.0.0+build.2".
std::vector<std::uint64_t> NumbersIn(std::string_view version) {
  std::vector<std::uint64_t> numbers;
  const char* at = version.data();
  const char* const end = at + version.size();
  while (at != end) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(at, end, number);
    if (read.ptr == at) {
      ++at;
    } else {
      numbers.push_back(number);
      at = read.ptr;
    }
  }
  return numbers;
}

// True if a class with the name is stored in a file with that path.
bool HoldsClass(const fs::path& path, std::string_view name) {
  return path.filename() == kPackage
             ? path.parent_path().filename() == name
             : path.extension() == kEnding && path.stem() == name;
}

}  // namespace

std::string_view MainVersion(std::string_view version) {
  return version.substr(0, version.find_first_not_of("0123456789."));
}

std::string FolderOf(const ast::StoredDefinition& text) {
  const fs::path path(text.file->name());
  std::size_t level = text.within ? text.within->parts.size() : 0;
  if (path.filename() == kPackage) {
    ++level;
  }
  std::string folder = path.parent_path().string();
  for (; level > 0; --level) {
    folder = FolderAround(folder);
  }
  return folder;
}

LibraryFolders::LibraryFolders(const ast::StoredDefinition& text, FileSet files)
    : files_(std::move(files)) {
  folders_.push_back(FolderOf(text));
  // The environment does not change while models are loaded.
  const char* const listed =
      std::getenv("MODELICAPATH");  // NOLINT(concurrency-mt-unsafe)
  std::ranges::move(FoldersIn(listed != nullptr ? listed : ""),
                    std::back_inserter(folders_));
}

LibraryFolders::LibraryFolders(std::vector<std::string> folders, FileSet files)
    : files_(std::move(files)), folders_(std::move(folders)) {}

std::optional<std::string> LibraryFolders::Find(std::string_view name) {
  const auto [found, is_new] = known_.try_emplace(std::string(name));
  if (is_new) {
    found->second = Search(name);
  }
  return found->second;
}

void LibraryFolders::Prefer(const std::string& library,
                            const std::string& version) {
  preferred_versions_.try_emplace(library, version);
}

std::optional<std::string> LibraryFolders::Search(std::string_view name) {
  const std::vector<std::string> files = FilesOf(name);
  if (files.empty()) {
    for (const auto& file : files_.all()) {
      if (HoldsClass(file->name(), name) && LevelOf(file->text()) == 0) {
        return file->name();
      }
    }
    return std::nullopt;
  }
  const auto preferred = preferred_versions_.find(std::string(name));
  if (preferred != preferred_versions_.end() && files.size() > 1) {
    const auto of_version = std::ranges::find_if(files, [&](const auto& file) {
      const std::optional<Library> library = LibraryIn(file, files_);
      return library &&
             MainVersion(library->version) == MainVersion(preferred->second);
    });
    if (of_version != files.end()) {
      return *of_version;
    }
  }
  return files.front();
}

// The files of the class in all folders, the one that comes first in front.
std::vector<std::string> LibraryFolders::FilesOf(std::string_view name) {
  std::vector<std::string> files;
  for (const std::string& folder : folders_) {
    const fs::path at = fs::path(folder) / name;
    for (const fs::path& path : {at / kPackage, fs::path(at) += kEnding}) {
      if (files_.Contains(path.string())) {
        files.push_back(path.string());
      }
    }
    std::ranges::move(VersionsIn(folder, name), std::back_inserter(files));
  }
  return files;
}

// The files `Name 4.0.0/package.mo` and `Name 4.0.0.mo`, the newest version in
// front.
std::vector<std::string> LibraryFolders::VersionsIn(const std::string& folder,
                                                    std::string_view name) {
  const std::string prefix =
      (fs::path(folder) / (std::string(name) + " ")).string();
  std::vector<std::pair<std::vector<std::uint64_t>, std::string>> versions;
  for (const std::string& entry : SpacedNamesIn(folder)) {
    if (!entry.starts_with(prefix)) {
      continue;
    }
    const fs::path path =
        entry.ends_with(kEnding) ? fs::path(entry) : fs::path(entry) / kPackage;
    if (files_.Contains(path.string())) {
      versions.emplace_back(NumbersIn(entry.substr(prefix.size())),
                            path.string());
    }
  }
  std::ranges::stable_sort(
      versions, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> files;
  for (auto& [version, file] : versions) {
    files.push_back(std::move(file));
  }
  return files;
}

// The names with a space in a folder, which is searched once.
const std::vector<std::string>& LibraryFolders::SpacedNamesIn(
    const std::string& folder) {
  const auto [found, is_new] = spaced_names_.try_emplace(folder);
  if (is_new) {
    std::ranges::copy_if(files_.NamesIn(folder),
                         std::back_inserter(found->second),
                         [](const std::string& name) {
                           return fs::path(name).filename().string().find(
                                      ' ') != std::string::npos;
                         });
  }
  return found->second;
}

std::vector<std::pair<std::string, std::string>> LibraryFolders::PartsOf(
    const std::string& path) const {
  std::vector<std::pair<std::string, std::string>> parts;
  const fs::path file(path);
  if (file.filename() != kPackage) {
    return parts;
  }
  for (const std::string& entry : files_.NamesIn(file.parent_path().string())) {
    const fs::path at(entry);
    const fs::path package = at / kPackage;
    if (files_.Contains(package.string())) {
      parts.emplace_back(at.filename().string(), package.string());
    } else if (at.extension() == kEnding && at.filename() != kPackage) {
      parts.emplace_back(at.stem().string(), entry);
    }
  }
  return parts;
}

}  // namespace orrery::modelica::internal
