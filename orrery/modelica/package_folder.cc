#include "orrery/modelica/package_folder.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>

#include "orrery/base/diagnostic.h"
#include "orrery/modelica/parser.h"

namespace orrery::modelica {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPackage = "package.mo";

// Folders in folders, in case that they go round in a circle.
constexpr std::size_t kMaxLevels = 50;

// By its name, which keeps the names of files as they are given.
fs::path FolderAround(const fs::path& folder) {
  const fs::path last = folder.filename();
  return folder.empty() || last == "." || last == ".." ? folder / ".."
                                                       : folder.parent_path();
}

// How many packages a text says that it is in.
std::size_t LevelOf(const std::shared_ptr<const SourceFile>& text) {
  if (text->text().find("within") == std::string_view::npos) {
    return 0;
  }
  Diagnostics ignored;  // Who flattens it finds them again.
  const auto tree = Parse(text, ignored);
  return tree->within ? tree->within->parts.size() : 0;
}

// The folder of the outermost package around the file; none if it is of no
// folder.
std::optional<fs::path> FolderOf(const std::string& path,
                                 std::size_t level,
                                 const FileSet& files) {
  fs::path folder = fs::path(path).parent_path();
  if (fs::path(path).filename() == kPackage) {
    ++level;
  }
  if (level == 0 || level > kMaxLevels) {
    return std::nullopt;
  }
  while (true) {
    if (!files.Contains((folder / kPackage).string())) {
      return std::nullopt;
    }
    if (--level == 0) {
      return folder;
    }
    folder = FolderAround(folder);
  }
}

void AddTexts(const fs::path& folder,
              const FileSet& files,
              std::size_t level,
              std::vector<std::shared_ptr<const SourceFile>>& texts) {
  texts.push_back(files.Read((folder / kPackage).string()));
  for (const std::string& name : files.NamesIn(folder.string())) {
    const fs::path path(name);
    if (files.Contains((path / kPackage).string())) {
      if (level < kMaxLevels) {
        AddTexts(path, files, level + 1, texts);
      }
    } else if (path.extension() == ".mo" && path.filename() != kPackage &&
               !fs::is_directory(path)) {
      texts.push_back(files.Read(name));
    }
  }
}

}  // namespace

std::vector<std::shared_ptr<const SourceFile>> ReadTexts(
    const std::string& path, const FileSet& files) {
  const std::shared_ptr<const SourceFile> asked = files.Read(path);
  const auto folder = FolderOf(path, LevelOf(asked), files);
  if (!folder) {
    return {asked};
  }
  std::vector<std::shared_ptr<const SourceFile>> texts;
  AddTexts(*folder, files, 0, texts);
  const auto own = std::ranges::find(texts, asked);
  if (own == texts.end()) {
    texts.insert(texts.begin(), asked);
  } else {
    std::rotate(texts.begin(), own, own + 1);
  }
  return texts;
}

}  // namespace orrery::modelica
