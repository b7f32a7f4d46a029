#include "orrery/modelica/assist/class_move.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/assist/name_at.h"
#include "orrery/modelica/assist/package_order.h"
#include "orrery/modelica/assist/uses.h"
#include "orrery/modelica/workspace/text_lines.h"

namespace orrery::modelica {
namespace {

namespace fs = std::filesystem;
using internal::NameRole;
using internal::NameTarget;

constexpr const char* kFolderText = "package.mo";

// One move of a class.
class ClassMover {
 public:
  ClassMover(Workspace& workspace,
             const Document& document,
             std::string class_name,
             std::string package)
      : workspace_(workspace),
        document_(document),
        name_(std::move(class_name)),
        package_(std::move(package)) {}

  ClassMove Run();

 private:
  [[noreturn]] void Refuse(const std::string& why) const {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot move '" + name_ + "' to '" + package_ + "': " + why);
  }

  // How a class is stored.
  enum class Storage : std::uint8_t { kInText, kFile, kFolder };

  void FindClasses();
  [[nodiscard]] Storage StorageOf() const;
  [[nodiscard]] bool IsInside(const std::string& name) const;
  [[nodiscard]] bool IsFoundInside(const internal::NameUse& use);
  [[nodiscard]] bool HasFiles() const;
  void RenameUses();
  void KeepNamesInside(const Document& document, const ast::Span& span);
  void KeepNamesInFolder();
  void KeepName(const Document& document, const internal::NameUse& use);
  void MoveFile(Storage storage);
  void MoveText(Storage storage);
  [[nodiscard]] std::string TakeText(Storage storage);
  void InsertText(const std::string& text);
  void SetWithin();
  void AddToOrder(const fs::path& folder);
  void RemoveFromOrder(const fs::path& folder);
  void Replace(const std::shared_ptr<const SourceFile>& file,
               const ast::Span& span,
               std::string text);

  Workspace& workspace_;
  const Document& document_;
  std::string name_;     // The class's full name.
  std::string package_;  // The new place.
  std::string moved_;    // Its new full name.
  std::string last_;     // The last part of both.
  const ast::ClassDefinition* text_ = nullptr;
  internal::ClassNode* node_ = nullptr;
  internal::ClassNode* target_ = nullptr;  // The class of `package_`.
  std::shared_ptr<const Document> target_document_;
  ClassMove move_;
};

std::string LastNameOf(const std::string& dotted) {
  return dotted.substr(dotted.rfind('.') + 1);
}

std::string PackageOf(const std::string& dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string::npos ? "" : dotted.substr(0, dot);
}

bool IsPackageFile(const Document& document) {
  return fs::path(document.path()).filename() == kFolderText;
}

// Where the path of a name begins whose identifier number `token` is: "P.Q.A",
// ".P.A".
std::uint32_t BeginOfPath(const Document& document, std::size_t token) {
  const std::vector<Token>& tokens = document.tokens();
  while (token > 0 && tokens[token - 1].kind == TokenKind::kDot) {
    const bool is_global =
        token < 2 || tokens[token - 2].kind != TokenKind::kIdentifier;
    token -= is_global ? 1 : 2;
    if (is_global) {
      break;
    }
  }
  return tokens[token].begin;
}

bool IsFirstOfPath(const Document& document, const ast::Identifier& name) {
  const std::size_t token = document.FirstTokenFrom(name.span.begin);
  return token == 0 || document.tokens()[token - 1].kind != TokenKind::kDot;
}

bool ImportsName(const ast::Import& import, std::string_view name) {
  switch (import.kind) {
    case ast::ImportKind::kRenamed:
      return import.alias.text == name;
    case ast::ImportKind::kQualified:
      return import.name.parts.back().text == name;
    case ast::ImportKind::kList:
      return std::ranges::any_of(import.names, [name](const auto& listed) {
        return listed.text == name;
      });
    default:
      return false;  // All that a package gives is found in it.
  }
}

// True if a class's own imports give the name, which stands for `target`.
bool Imports(const ast::ClassDefinition& text,
             std::string_view name,
             const NameTarget& target) {
  const auto* const body = std::get_if<ast::LongClass>(&text.node);
  if (body == nullptr) {
    return false;
  }
  const std::string around =
      target.node == nullptr ? "" : PackageOf(target.node->name);
  return std::ranges::any_of(body->elements, [&](const auto& element) {
    const auto* const import = std::get_if<const ast::Import*>(&element.node);
    return import != nullptr &&
           (ImportsName(**import, name) ||
            ((*import)->kind == ast::ImportKind::kUnqualified &&
             ast::ToString((*import)->name) == around));
  });
}

void ClassMover::Replace(const std::shared_ptr<const SourceFile>& file,
                         const ast::Span& span,
                         std::string text) {
  move_.edits.push_back(
      {.span = {.file = file, .begin = span.begin, .end = span.end},
       .text = std::move(text)});
}

bool ClassMover::IsInside(const std::string& name) const {
  return name == name_ || name.starts_with(name_ + ".");
}

void ClassMover::FindClasses() {
  internal::ClassTree& tree = workspace_.TreeOf(document_);
  text_ = document_.FindClass(name_);
  node_ = text_ == nullptr ? nullptr : workspace_.NodeOf(document_, *text_);
  if (node_ == nullptr) {
    Refuse("the text has no such class");
  }
  if (PackageOf(name_).empty()) {
    Refuse("it is at the top, in no package");
  }
  target_ = package_.empty() ? nullptr : tree.FindGlobal(package_);
  const bool has_body =
      target_ != nullptr && target_->definition != nullptr &&
      std::holds_alternative<ast::LongClass>(target_->definition->node);
  if (!has_body) {
    Refuse("there is no such package");
  }
  if (IsInside(package_)) {
    Refuse("it is in the class itself");
  }
  last_ = LastNameOf(name_);
  moved_ = package_ + "." + last_;
  if (package_ == PackageOf(name_)) {
    Refuse("it is there already");
  }
  tree.Expand(target_);
  if (target_->Find(last_) != nullptr) {
    Refuse("there is '" + last_ + "' already");
  }
  const auto& file = target_->scope->file;
  const std::string top = name_.substr(0, name_.find('.'));
  if (!internal::IsOnDisk(file) ||
      package_.substr(0, package_.find('.')) != top) {
    Refuse("it is of another library");
  }
  target_document_ = workspace_.Read(file);
}

ClassMover::Storage ClassMover::StorageOf() const {
  const auto& classes = document_.tree().classes;
  const bool is_alone =
      classes.size() == 1 && classes.front().definition == text_;
  if (!is_alone) {
    return Storage::kInText;
  }
  return IsPackageFile(document_) ? Storage::kFolder : Storage::kFile;
}

// True if classes of the new place have files of their own.
bool ClassMover::HasFiles() const {
  return IsPackageFile(*target_document_) &&
         target_document_->tree().classes.front().definition ==
             target_->definition;
}

// Writes the new name where others use the class.
void ClassMover::RenameUses() {
  const NameTarget self = internal::TargetOf(*node_);
  for (const internal::FoundUse& use :
       internal::UsesOf(workspace_, document_, self)) {
    if (use.role == NameRole::kDeclaration || use.role == NameRole::kEnd) {
      continue;
    }
    const auto other = workspace_.Read(use.span.file);
    const std::size_t token = other->FirstTokenFrom(use.span.begin);
    const bool is_listed =
        token > 0 &&
        (other->tokens()[token - 1].kind == TokenKind::kLeftBrace ||
         other->tokens()[token - 1].kind == TokenKind::kComma) &&
        use.role == NameRole::kType;
    if (use.role == NameRole::kModifier || is_listed) {
      const int line = use.span.file->PositionOf(use.span.begin).line;
      Refuse(other->path() + ":" + std::to_string(line) + " names it as " +
             (is_listed ? "one of a list of imports"
                        : "an element that is redeclared"));
    }
    const std::uint32_t begin = BeginOfPath(*other, token);
    // The name that an import gives stays.
    if (other->TextOf(
            ast::Span{.begin = use.span.begin, .end = use.span.end}) == last_) {
      Replace(use.span.file, {.begin = begin, .end = use.span.end}, moved_);
    }
  }
}

// True if a name in the class is found there, wherever the class stands.
bool ClassMover::IsFoundInside(const internal::NameUse& use) {
  internal::NameResolver names(workspace_.TreeOf(document_));
  internal::ClassNode* around = use.around;
  while (around != nullptr && IsInside(around->name)) {
    const bool is_here =
        names.FindIn(around, use.name.text) ||
        (around->definition != nullptr &&
         Imports(*around->definition, use.name.text, use.target));
    if (is_here) {
      return true;
    }
    around = around->enclosing == nullptr ? nullptr : around->enclosing->node;
  }
  return false;
}

void ClassMover::KeepName(const Document& document,
                          const internal::NameUse& use) {
  const bool is_looked_up = use.role == NameRole::kType ||
                            use.role == NameRole::kReference ||
                            use.role == NameRole::kCall;
  const bool is_outside = use.target.kind == NameTarget::Kind::kClass ||
                          use.target.kind == NameTarget::Kind::kComponent;
  if (!is_looked_up || !is_outside || use.target.declared.file == nullptr ||
      use.target.node == nullptr || IsInside(use.target.node->name) ||
      !IsFirstOfPath(document, use.name)) {
    return;
  }
  const bool is_class = use.target.kind == NameTarget::Kind::kClass;
  const std::string full =
      is_class ? use.target.node->name
               : use.target.node->name + "." + std::string(use.target.name);
  if (full.find('.') == std::string::npos || IsFoundInside(use)) {
    return;
  }
  const bool is_renamed =
      std::ranges::any_of(move_.edits, [&](const ReplacedSpan& edit) {
        return edit.span.file == document.file() &&
               edit.span.begin == use.name.span.begin;
      });
  if (is_renamed) {
    return;
  }
  internal::NameResolver names(workspace_.TreeOf(document_));
  const ast::Identifier part = use.name;
  if (names.Find(target_->scope, {&part, 1}) == use.target) {
    return;  // It is found there, too.
  }
  Replace(document.file(), use.name.span, full);
}

// Names in the class that its new place does not see get their full names.
void ClassMover::KeepNamesInside(const Document& document,
                                 const ast::Span& span) {
  const internal::NameFilter filter = {
      .wants = [](const ast::Identifier& name) { return !name.text.empty(); },
      .within = span};
  internal::WalkNames(workspace_,
                      document_,
                      document,
                      filter,
                      [&](const internal::NameUse& use) {
                        const ast::Span& at = use.name.span;
                        if (at.begin >= span.begin && at.end <= span.end) {
                          KeepName(document, use);
                        }
                      });
}

// The same for the other files of a package folder.
void ClassMover::KeepNamesInFolder() {
  std::error_code error;
  const fs::path folder = fs::path(document_.path()).parent_path();
  for (fs::recursive_directory_iterator at(folder, error), end;
       !error && at != end;
       at.increment(error)) {
    const std::string path = at->path().string();
    if (at->path().extension() == ".mo" && path != document_.path()) {
      const auto document = workspace_.Read(path);
      KeepNamesInside(
          *document,
          {.begin = 0,
           .end = static_cast<std::uint32_t>(document->text().size())});
    }
  }
}

void ClassMover::RemoveFromOrder(const fs::path& folder) {
  if (auto edit = internal::WithoutOrderLine(folder.string(), last_)) {
    move_.edits.push_back(std::move(*edit));
  }
}

void ClassMover::AddToOrder(const fs::path& folder) {
  if (auto edit = internal::NewOrderLine(folder.string(), last_)) {
    move_.edits.push_back(std::move(*edit));
  }
}

// The `within` of the class's own file names its new package.
void ClassMover::SetWithin() {
  const auto& within = document_.tree().within;
  if (!within || within->parts.empty()) {
    Refuse("its file does not say in which package it is ('within')");
  }
  Replace(document_.file(),
          {.begin = within->parts.front().span.begin,
           .end = within->parts.back().span.end},
          package_);
}

void ClassMover::MoveFile(Storage storage) {
  const bool is_folder = storage == Storage::kFolder;
  const fs::path path(document_.path());
  const fs::path old = is_folder ? path.parent_path() : path;
  const fs::path folder = fs::path(target_document_->path()).parent_path();
  const fs::path moved = folder / old.filename();
  if (fs::exists(moved)) {
    Refuse("there is a file '" + moved.string() + "' already");
  }
  SetWithin();
  RemoveFromOrder(old.parent_path());
  AddToOrder(folder);
  move_.files.push_back({.from = old.string(), .to = moved.string()});
}

// Takes the text of the class, with its edits, out of its file.
std::string ClassMover::TakeText(Storage storage) {
  const std::string_view all = document_.text();
  ast::Span span = text_->span;
  span.end = document_.EndOfItem(span);
  std::string text(document_.TextOf(span));
  const auto is_here = [&](const ReplacedSpan& edit) {
    return edit.span.file == document_.file() &&
           edit.span.begin >= span.begin && edit.span.end <= span.end;
  };
  std::vector<ReplacedSpan> own;
  std::ranges::copy_if(move_.edits, std::back_inserter(own), is_here);
  std::erase_if(move_.edits, is_here);
  std::ranges::sort(own, std::greater<>(), [](const ReplacedSpan& edit) {
    return edit.span.begin;
  });
  for (const ReplacedSpan& edit : own) {
    text.replace(edit.span.begin - span.begin,
                 edit.span.end - edit.span.begin,
                 edit.text);
  }
  if (!text.ends_with(';')) {
    text += ';';
  }
  if (storage == Storage::kFile) {
    std::erase_if(move_.edits, [&](const ReplacedSpan& edit) {
      return edit.span.file == document_.file();
    });
    move_.removed = document_.path();
    RemoveFromOrder(fs::path(document_.path()).parent_path());
    return text;
  }
  Replace(document_.file(), internal::WithLines(all, span), "");
  if (IsPackageFile(document_) &&
      PackageOf(name_) ==
          document_.NameOf(*document_.tree().classes.front().definition)) {
    RemoveFromOrder(fs::path(document_.path()).parent_path());
  }
  return text;
}

// Puts the text of the class before the end of the package's own classes.
void ClassMover::InsertText(const std::string& text) {
  const Document& into = *target_document_;
  const std::string_view all = into.text();
  const std::string line = internal::LineEndOf(all);
  if (const auto nested = ClassesIn(*target_->definition); !nested.empty()) {
    const std::uint32_t at =
        internal::BehindComment(all, into.EndOfItem(nested.back()->span));
    Replace(into.file(),
            {.begin = at, .end = at},
            line + internal::IndentAt(all, nested.back()->span.begin) + text);
    return;
  }
  const auto& description = target_->definition->description.strings;
  const std::uint32_t at = description.empty()
                               ? target_->definition->name.span.end
                               : description.back().span.end;
  Replace(into.file(),
          {.begin = at, .end = at},
          line + internal::IndentAt(all, target_->definition->span.begin) +
              "  " + text);
}

void ClassMover::MoveText(Storage storage) {
  if (storage == Storage::kFolder) {
    Refuse("it is a folder of files, and the package is a text");
  }
  const std::string text = TakeText(storage);
  if (!HasFiles()) {
    InsertText(text);
    return;
  }
  const fs::path folder = fs::path(target_document_->path()).parent_path();
  const fs::path path = folder / (last_ + ".mo");
  if (fs::exists(path)) {
    Refuse("there is a file '" + path.string() + "' already");
  }
  AddToOrder(folder);
  move_.made = {.path = path.string(),
                .text = "within " + package_ + ";\n" + text + "\n"};
}

ClassMove ClassMover::Run() {
  FindClasses();
  RenameUses();
  KeepNamesInside(document_, text_->span);
  const Storage storage = StorageOf();
  if (storage == Storage::kFolder) {
    KeepNamesInFolder();
  }
  if (storage != Storage::kInText && HasFiles()) {
    MoveFile(storage);
  } else {
    MoveText(storage);
  }
  std::ranges::stable_sort(
      move_.edits, [](const ReplacedSpan& a, const ReplacedSpan& b) {
        return std::pair(a.span.file->name(), a.span.begin) <
               std::pair(b.span.file->name(), b.span.begin);
      });
  // A walk may come to a name twice.
  const auto is_same = [](const ReplacedSpan& a, const ReplacedSpan& b) {
    return a.span.file == b.span.file && a.span.begin == b.span.begin &&
           a.span.end == b.span.end && a.text == b.text;
  };
  move_.edits.erase(
      std::unique(move_.edits.begin(), move_.edits.end(), is_same),
      move_.edits.end());
  return std::move(move_);
}

}  // namespace

ClassMove MoveClass(Workspace& workspace,
                    const Document& document,
                    const std::string& class_name,
                    const std::string& package) {
  return ClassMover(workspace, document, class_name, package).Run();
}

}  // namespace orrery::modelica
