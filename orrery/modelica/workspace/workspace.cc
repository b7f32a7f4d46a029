#include "orrery/modelica/workspace/workspace.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/library_texts/library_folders.h"
#include "orrery/modelica/library_texts/standard_library.h"
#include "orrery/modelica/library_texts/syntax_cache.h"

namespace orrery::modelica {
namespace {

namespace fs = std::filesystem;

// Trees of texts that are kept though no open document needs them now: about
// 64 MB.
constexpr std::size_t kMostTrees = 1200;

}  // namespace

struct Workspace::Content {
  // A tree of classes and the sink of its reports.
  struct Classes {
    Diagnostics diagnostics;
    std::vector<std::shared_ptr<const Document>> documents;
    std::unique_ptr<internal::ClassTree> tree;
  };

  void Changed() {
    classes.clear();
    if (syntax->size() > kMostTrees) {
      ForgetTrees();
    }
  }

  // Open documents keep the trees that class trees will see.
  void ForgetTrees() {
    read.clear();
    syntax = std::make_shared<internal::SyntaxCache>();
    for (auto& [path, document] : open) {
      const auto& parsed = syntax->Parse(document->file());
      document = std::make_shared<Document>(parsed.tree, parsed.findings);
    }
  }

  WorkspaceOptions options;
  FileSet files;
  std::map<std::string, std::shared_ptr<const Document>> open;
  std::map<std::shared_ptr<const SourceFile>, std::shared_ptr<const Document>>
      read;
  std::shared_ptr<internal::SyntaxCache> syntax =
      std::make_shared<internal::SyntaxCache>();
  std::map<std::string, std::unique_ptr<Classes>> classes;  // By document.
};

Workspace::Workspace(WorkspaceOptions options)
    : content_(std::make_unique<Content>()) {
  content_->options = std::move(options);
}

Workspace::~Workspace() = default;

void Workspace::Open(const std::string& path, std::string text) {
  const auto old = content_->open.find(path);
  content_->Changed();
  if (old != content_->open.end()) {
    content_->syntax->Forget(old->second->file());
  }
  auto file = std::make_shared<const SourceFile>(path, std::move(text));
  const auto& parsed = content_->syntax->Parse(file);
  content_->open[path] =
      std::make_shared<Document>(parsed.tree, parsed.findings);
  content_->files.Add(std::move(file));
}

void Workspace::Close(const std::string& path) {
  const auto old = content_->open.find(path);
  if (old == content_->open.end()) {
    return;
  }
  content_->open.erase(old);
  ReadAgain(path);
}

void Workspace::ReadAgain(const std::string& path) {
  content_->Changed();
  if (IsOpen(path)) {
    return;
  }
  // Files on the disk are read anew: one may have taken another's place.
  content_->files = FileSet();
  content_->ForgetTrees();
  for (const auto& [name, document] : content_->open) {
    content_->files.Add(document->file());
  }
}

bool Workspace::IsOpen(const std::string& path) const {
  return content_->open.contains(path);
}

std::vector<std::string> Workspace::open() const {
  std::vector<std::string> paths;
  for (const auto& [path, document] : content_->open) {
    paths.push_back(path);
  }
  return paths;
}

std::shared_ptr<const Document> Workspace::Read(const std::string& path) {
  const auto found = content_->open.find(path);
  return found != content_->open.end() ? found->second
                                       : Read(content_->files.Read(path));
}

std::shared_ptr<const Document> Workspace::Read(
    const std::shared_ptr<const SourceFile>& file) {
  const auto found = content_->open.find(file->name());
  if (found != content_->open.end() && found->second->file() == file) {
    return found->second;
  }
  std::shared_ptr<const Document>& known = content_->read[file];
  if (known == nullptr) {
    const auto& parsed = content_->syntax->Parse(file);
    known = std::make_shared<Document>(parsed.tree, parsed.findings);
  }
  return known;
}

bool Workspace::IsBuiltIn(const SourceFile& file) {
  return std::ranges::any_of(
      internal::StandardLibrary(), [&file](const internal::LibraryText& its) {
        return its.file == file.name() && its.text == file.text();
      });
}

const FileSet& Workspace::files() const noexcept {
  return content_->files;
}

std::vector<std::string> Workspace::FoldersOf(const Document& document) const {
  std::vector<std::string> folders = {internal::FolderOf(document.tree())};
  std::ranges::copy(content_->options.libraries, std::back_inserter(folders));
  return folders;
}

internal::ClassTree& Workspace::TreeOf(const Document& document) {
  std::unique_ptr<Content::Classes>& known = content_->classes[document.path()];
  if (known != nullptr && known->documents.front()->file() == document.file()) {
    return *known->tree;
  }
  auto made = std::make_unique<Content::Classes>();
  made->documents.push_back(Read(document.file()));
  // Other open texts beside it, which no look-up by file names would find.
  const std::string folder = internal::FolderOf(document.tree());
  std::set<std::string> names;
  const auto take = [&names](const Document& its) {
    for (const ast::StoredClass& stored : its.tree().classes) {
      names.emplace(stored.definition->name.text);
    }
  };
  take(document);
  for (const auto& [path, other] : content_->open) {
    const bool is_new = std::ranges::none_of(
        other->tree().classes, [&](const ast::StoredClass& stored) {
          return names.contains(std::string(stored.definition->name.text));
        });
    if (path != document.path() && is_new && !other->tree().within &&
        fs::path(path).filename() != "package.mo" &&
        internal::FolderOf(other->tree()) == folder) {
      take(*other);
      made->documents.push_back(other);
    }
  }
  std::vector<const ast::StoredDefinition*> trees;
  for (const auto& its : made->documents) {
    trees.push_back(&its->tree());
  }
  made->tree = std::make_unique<internal::ClassTree>(
      trees,
      internal::LibraryFolders(FoldersOf(document), content_->files),
      made->diagnostics,
      content_->syntax,
      internal::LibraryTexts::kAsWritten);
  known = std::move(made);
  return *known->tree;
}

internal::ClassNode* Workspace::NodeOf(const Document& document,
                                       const ast::ClassDefinition& text) {
  return NodeOf(document, document, text);
}

internal::ClassNode* Workspace::NodeOf(const Document& asked,
                                       const Document& document,
                                       const ast::ClassDefinition& text) {
  const std::string name = document.NameOf(text);
  internal::ClassNode* const node =
      name.empty() ? nullptr : TreeOf(asked).FindGlobal(name);
  return node != nullptr && node->definition == &text ? node : nullptr;
}

}  // namespace orrery::modelica
