#include "orrery/modelica/assist/places.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/assist/name_at.h"
#include "orrery/syntax/lexer.h"

namespace orrery::modelica {
namespace {

namespace fs = std::filesystem;
using internal::NameTarget;
using internal::NameUse;

constexpr const char* kPackageText = "package.mo";
constexpr const char* kOrder = "package.order";
constexpr std::size_t kMostFiles = 20'000;

SourceSpan SpanIn(const Document& document, const ast::Span& span) {
  return {.file = document.file(), .begin = span.begin, .end = span.end};
}

bool Precedes(const SourceSpan& a, const SourceSpan& b) {
  return std::pair(a.file->name(), a.begin) <
         std::pair(b.file->name(), b.begin);
}

// A file of a package, or of a package folder, that is read by its path.
bool IsOnDisk(const std::shared_ptr<const SourceFile>& file) {
  return file != nullptr && fs::path(file->name()).is_absolute();
}

// The Modelica files among which those of a text's library are: all in the
// folder of its outermost package; those beside a text that is in no package.
void AddFilesAround(const Document& document, std::set<std::string>& paths) {
  const fs::path file(document.path());
  std::size_t level =
      document.tree().within ? document.tree().within->parts.size() : 0;
  if (file.filename() == kPackageText) {
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
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)),
                         std::istreambuf_iterator<char>());
  return text.find(word) != std::string::npos;
}

// The uses of the target in a text, as seen from the asked one, else from
// itself.
void AddUses(Workspace& workspace,
             const Document& asked,
             const Document& document,
             const NameTarget& target,
             std::vector<SourceSpan>& spans) {
  for (const NameUse& use :
       internal::NamesWritten(workspace, asked, document, target.name)) {
    if (use.target == target) {
      spans.push_back(SpanIn(document, use.name.span));
    }
  }
}

bool IsSeenFrom(Workspace& workspace,
                const Document& asked,
                const Document& document) {
  return std::ranges::all_of(
      document.tree().classes, [&](const ast::StoredClass& stored) {
        return workspace.NodeOf(asked, document, *stored.definition) != nullptr;
      });
}

std::vector<SourceSpan> UsesOf(Workspace& workspace,
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
  std::vector<SourceSpan> spans;
  for (const std::string& path : paths) {
    if (!workspace.IsOpen(path) && !Holds(path, word)) {
      continue;
    }
    const auto other = workspace.Read(path);
    const bool is_seen = IsSeenFrom(workspace, document, *other);
    AddUses(workspace, is_seen ? document : *other, *other, target, spans);
  }
  std::ranges::sort(spans, Precedes);
  return spans;
}

bool IsLocal(const NameTarget& target) {
  return target.kind == NameTarget::Kind::kIterator;
}

std::optional<NameUse> FoundAt(Workspace& workspace,
                               const Document& document,
                               std::uint32_t offset) {
  auto use = internal::NameAt(workspace, document, offset);
  return use && use->target ? use : std::nullopt;
}

[[noreturn]] void Refuse(const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument, "cannot rename this: " + why);
}

bool IsIdentifier(const std::string& name) {
  const TokenSequence read = Tokenize(name);
  return read.errors.empty() && read.tokens.size() == 2 &&
         read.tokens.front().kind == TokenKind::kIdentifier &&
         read.tokens.front().end == name.size();
}

// The file that a class is stored in alone, by its name, and its new name.
void AddMovedFile(const NameTarget& target,
                  const std::string& name,
                  Renaming& result) {
  if (target.kind != NameTarget::Kind::kClass) {
    return;
  }
  const fs::path path(target.declared.file->name());
  const bool is_folder = path.filename() == kPackageText &&
                         path.parent_path().filename() == target.name;
  if (!is_folder && path.stem() != target.name) {
    return;
  }
  const fs::path old = is_folder ? path.parent_path() : path;
  const fs::path renamed =
      old.parent_path() / (name + (is_folder ? "" : ".mo"));
  if (fs::exists(renamed)) {
    Refuse("there is a file '" + renamed.string() + "' already");
  }
  result.files.push_back({.from = old.string(), .to = renamed.string()});
  const fs::path order = old.parent_path() / kOrder;
  if (!fs::exists(order)) {
    return;
  }
  const auto text = SourceFile::Read(order.string());
  std::uint32_t begin = 0;
  while (begin < text->text().size()) {
    std::size_t end = text->text().find_first_of("\r\n", begin);
    end = std::min(end, text->text().size());
    if (text->text().substr(begin, end - begin) == target.name) {
      result.order = {
          .file = text, .begin = begin, .end = static_cast<std::uint32_t>(end)};
    }
    begin = static_cast<std::uint32_t>(end) + 1;
  }
}

}  // namespace

std::optional<SourceSpan> DefinitionAt(Workspace& workspace,
                                       const Document& document,
                                       std::uint32_t offset) {
  const auto use = FoundAt(workspace, document, offset);
  return use && use->target.declared.file != nullptr
             ? std::optional(use->target.declared)
             : std::nullopt;
}

std::optional<SourceSpan> TypeDefinitionAt(Workspace& workspace,
                                           const Document& document,
                                           std::uint32_t offset) {
  const auto use = FoundAt(workspace, document, offset);
  if (!use) {
    return std::nullopt;
  }
  internal::NameResolver names(workspace.TreeOf(document));
  internal::ClassNode* const type = names.ClassOf(use->target);
  if (type == nullptr) {
    return std::nullopt;
  }
  const NameTarget target = internal::TargetOf(*type);
  return target.declared.file == nullptr ? std::nullopt
                                         : std::optional(target.declared);
}

std::vector<SourceSpan> HighlightsAt(Workspace& workspace,
                                     const Document& document,
                                     std::uint32_t offset) {
  std::vector<SourceSpan> spans;
  if (const auto use = FoundAt(workspace, document, offset)) {
    AddUses(workspace, document, document, use->target, spans);
  }
  std::ranges::sort(spans, Precedes);
  return spans;
}

std::vector<SourceSpan> ReferencesTo(Workspace& workspace,
                                     const Document& document,
                                     std::uint32_t offset,
                                     bool with_declaration) {
  const auto use = FoundAt(workspace, document, offset);
  if (!use) {
    return {};
  }
  const NameTarget& target = use->target;
  std::vector<SourceSpan> spans =
      IsLocal(target) ? HighlightsAt(workspace, document, offset)
                      : UsesOf(workspace, document, target);
  if (!with_declaration && target.declared.file != nullptr) {
    std::erase_if(spans, [&](const SourceSpan& span) {
      return span.begin == target.declared.begin &&
             span.file->name() == target.declared.file->name();
    });
  }
  return spans;
}

ast::Span RenameableAt(Workspace& workspace,
                       const Document& document,
                       std::uint32_t offset) {
  const auto use = FoundAt(workspace, document, offset);
  if (!use || use->target.kind == NameTarget::Kind::kAttribute) {
    Refuse("there is no name here that a text declares");
  }
  const auto& file = use->target.declared.file;
  if (!IsOnDisk(file)) {
    Refuse("'" + std::string(use->target.name) + "' is built in");
  }
  if (!workspace.IsOpen(file->name()) &&
      ::orrery::modelica::internal::FolderOf(workspace.Read(file)->tree()) !=
          ::orrery::modelica::internal::FolderOf(document.tree())) {
    Refuse("'" + std::string(use->target.name) + "' belongs to a library, " +
           file->name());
  }
  return use->name.span;
}

Renaming Rename(Workspace& workspace,
                const Document& document,
                std::uint32_t offset,
                const std::string& name) {
  (void)RenameableAt(workspace, document, offset);
  if (!IsIdentifier(name)) {
    Refuse("'" + name + "' is no name of Modelica");
  }
  const auto use = FoundAt(workspace, document, offset);
  const NameTarget target = use->target;
  internal::NameResolver names(workspace.TreeOf(document));
  internal::ClassNode* around = target.node;
  if (target.kind == NameTarget::Kind::kClass) {
    around = target.node->enclosing->node;
  }
  const bool is_taken = !IsLocal(target) && around != nullptr &&
                        around->definition != nullptr &&
                        names.FindIn(around, name);
  if (is_taken) {
    Refuse("'" + name + "' is there already, in " + around->name);
  }
  Renaming result;
  result.spans = IsLocal(target) ? HighlightsAt(workspace, document, offset)
                                 : UsesOf(workspace, document, target);
  AddMovedFile(target, name, result);
  return result;
}

}  // namespace orrery::modelica
