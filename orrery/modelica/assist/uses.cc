#include "orrery/modelica/assist/uses.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace orrery::modelica::internal {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPackageFile = "package.mo";
constexpr std::size_t kMostFiles = 20'000;

// The Modelica files among which those of a text's library are: all in the
// folder of its outermost package; those beside a text that is in no package.
void AddFilesAround(const Document& document, std::set<std::string>& paths) {
  const fs::path file(document.path());
  std::size_t level =
      document.tree().within ? document.tree().within->parts.size() : 0;
  if (file.filename() == kPackageFile) {
    ++level;
  }
  std::error_code error;
  if (level == 0) {
    for (fs::directory_iterator at(file.parent_path(), error), end;
         !error && at != end && paths.size() < kMostFiles;
         at.increment(error)) {
      if (at->path().extension() == ".mo") {
        paths.insert(at->path().string());
      }
    }
    return;
  }
  fs::path folder = file.parent_path();
  for (; level > 1; --level) {
    folder = folder.parent_path();
  }
  for (fs::recursive_directory_iterator at(folder, error), end;
       !error && at != end && paths.size() < kMostFiles;
       at.increment(error)) {
    if (at->path().extension() == ".mo") {
      paths.insert(at->path().string());
    }
  }
}

bool Holds(const std::string& path, const std::string& word) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? std::streamoff(in.tellg()) : 0;
  std::string text(static_cast<std::size_t>(std::max<std::streamoff>(size, 0)),
                   ' ');
  in.seekg(0);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  return text.find(word) != std::string::npos;
}

bool IsSeenFrom(Workspace& workspace,
                const Document& asked,
                const Document& document) {
  return std::ranges::all_of(
      document.tree().classes, [&](const ast::StoredClass& stored) {
        return workspace.NodeOf(asked, document, *stored.definition) != nullptr;
      });
}

}  // namespace

bool IsOnDisk(const std::shared_ptr<const SourceFile>& file) {
  return file != nullptr && fs::path(file->name()).is_absolute();
}

std::vector<FoundUse> UsesIn(Workspace& workspace,
                             const Document& asked,
                             const Document& document,
                             const NameTarget& target) {
  std::vector<FoundUse> uses;
  for (const NameUse& use :
       NamesWritten(workspace, asked, document, target.name)) {
    if (use.target == target) {
      uses.push_back({.span = {.file = document.file(),
                               .begin = use.name.span.begin,
                               .end = use.name.span.end},
                      .role = use.role});
    }
  }
  return uses;
}

std::vector<FoundUse> UsesOf(Workspace& workspace,
                             const Document& document,
                             const NameTarget& target) {
  std::set<std::string> paths;
  AddFilesAround(document, paths);
  if (IsOnDisk(target.declared.file)) {
    AddFilesAround(*workspace.Read(target.declared.file), paths);
  }
  for (const std::string& path : workspace.open()) {
    paths.insert(path);
  }
  const std::string word(target.name);
  std::vector<FoundUse> uses;
  for (const std::string& path : paths) {
    if (!workspace.IsOpen(path) && !Holds(path, word)) {
      continue;
    }
    const auto other = workspace.Read(path);
    const bool is_seen = IsSeenFrom(workspace, document, *other);
    std::ranges::move(
        UsesIn(workspace, is_seen ? document : *other, *other, target),
        std::back_inserter(uses));
  }
  std::ranges::sort(uses, [](const FoundUse& a, const FoundUse& b) {
    return std::pair(a.span.file->name(), a.span.begin) <
           std::pair(b.span.file->name(), b.span.begin);
  });
  return uses;
}

}  // namespace orrery::modelica::internal
