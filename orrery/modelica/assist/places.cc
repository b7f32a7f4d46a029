#include "orrery/modelica/assist/places.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/assist/name_at.h"
#include "orrery/modelica/assist/package_order.h"
#include "orrery/modelica/assist/uses.h"
#include "orrery/modelica/library_texts/library_folders.h"
#include "orrery/syntax/lexer.h"

namespace orrery::modelica {
namespace {

namespace fs = std::filesystem;
using internal::NameTarget;
using internal::NameUse;

constexpr const char* kPackageText = "package.mo";

std::vector<SourceSpan> SpansOf(const std::vector<internal::FoundUse>& uses) {
  std::vector<SourceSpan> spans;
  spans.reserve(uses.size());
  for (const internal::FoundUse& use : uses) {
    spans.push_back(use.span);
  }
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
  result.order = internal::OrderLineOf(old.parent_path().string(), target.name);
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
    spans =
        SpansOf(internal::UsesIn(workspace, document, document, use->target));
  }
  std::ranges::sort(spans, {}, &SourceSpan::begin);
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
                      : SpansOf(internal::UsesOf(workspace, document, target));
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
  if (!internal::IsOnDisk(file)) {
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
  result.spans = IsLocal(target)
                     ? HighlightsAt(workspace, document, offset)
                     : SpansOf(internal::UsesOf(workspace, document, target));
  AddMovedFile(target, name, result);
  return result;
}

}  // namespace orrery::modelica
