#include "orrery/modelica/library_texts/package_folder.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include "orrery/syntax/lexer.h"

namespace orrery::modelica {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPackage = "package.mo";

// The limit of nested folders, which may form a circle.
constexpr std::size_t kMaxLevels = 50;

// The package folders around the file, the outermost first; none if it belongs
// to no folder.
std::vector<fs::path> FoldersOf(const std::string& path,
                                std::size_t level,
                                const FileSet& files) {
  if (fs::path(path).filename() == kPackage) {
    ++level;
  }
  if (level > kMaxLevels) {
    return {};
  }
  std::vector<fs::path> folders;
  fs::path folder = fs::path(path).parent_path();
  for (; level > 0; --level) {
    if (!files.Contains((folder / kPackage).string())) {
      return {};
    }
    folders.insert(folders.begin(), folder);
    folder = FolderAround(folder.string());
  }
  return folders;
}

bool IsSameFolder(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return a == b ||
         fs::equivalent(a.empty() ? "." : a, b.empty() ? "." : b, ignored);
}

// @param folders the folder, and those in it around the requested file, as they
//     are named there: from `..` the current folder has another name, and its
//     files would be read twice.
void AddTexts(std::span<const fs::path> folders,
              const FileSet& files,
              std::size_t level,
              std::vector<std::shared_ptr<const SourceFile>>& texts) {
  const fs::path& folder = folders.front();
  const std::span<const fs::path> inner = folders.subspan(1);
  texts.push_back(files.Read((folder / kPackage).string()));
  // The listing of `folder` does not contain the other name.
  const bool has_other_name =
      !inner.empty() && inner[0] != folder / inner[0].filename();
  if (has_other_name && level < kMaxLevels) {
    AddTexts(inner, files, level + 1, texts);
  }
  for (const std::string& name : files.NamesIn(folder.string())) {
    const fs::path path(name);
    if (has_other_name && IsSameFolder(path, inner[0])) {
      continue;
    }
    if (files.Contains((path / kPackage).string())) {
      if (level < kMaxLevels) {
        const bool is_around = !inner.empty() && path == inner[0];
        AddTexts(
            is_around ? inner : std::span(&path, 1), files, level + 1, texts);
      }
    } else if (path.extension() == ".mo" && path.filename() != kPackage &&
               !fs::is_directory(path)) {
      texts.push_back(files.Read(name));
    }
  }
}

}  // namespace

// Uses the path's text only, so that file names stay as given.
std::string FolderAround(const std::string& folder) {
  const fs::path path(folder);
  const fs::path last = path.filename();
  return (path.empty() || last == "." || last == ".." ? path / ".."
                                                      : path.parent_path())
      .string();
}

std::size_t LevelOf(std::string_view text) {
  if (text.find("within") == std::string_view::npos) {
    return 0;
  }
  const std::vector<Token> tokens = Tokenize(text).tokens;
  if (tokens.front().kind != TokenKind::kWithin) {
    return 0;
  }
  const auto end =
      std::ranges::find(tokens, TokenKind::kSemicolon, &Token::kind);
  return static_cast<std::size_t>(
      std::count_if(tokens.begin(), end, [](const Token& token) {
        return token.kind == TokenKind::kIdentifier;
      }));
}

std::vector<std::shared_ptr<const SourceFile>> ReadTexts(
    const std::string& path, const FileSet& files) {
  const std::shared_ptr<const SourceFile> asked = files.Read(path);
  const auto folders = FoldersOf(path, LevelOf(asked->text()), files);
  if (folders.empty()) {
    return {asked};
  }
  std::vector<std::shared_ptr<const SourceFile>> texts;
  AddTexts(folders, files, 0, texts);
  const auto own = std::ranges::find(texts, asked);
  if (own == texts.end()) {
    texts.insert(texts.begin(), asked);
  } else {
    std::rotate(texts.begin(), own, own + 1);
  }
  return texts;
}

}  // namespace orrery::modelica
