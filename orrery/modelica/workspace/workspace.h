#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/files/file_set.h"
#include "orrery/modelica/workspace/document.h"

namespace orrery::modelica {
namespace internal {

class ClassTree;
struct ClassNode;

}  // namespace internal

struct WorkspaceOptions {
  /// Folders that contain libraries, as `Modelica 4.1.0/package.mo`.
  std::vector<std::string> libraries;
};

/// The texts that an editor has open, as they stand there, and the libraries
/// and files around them, as they are on the disk. Paths are absolute or
/// relative to the current folder, always written in the same way.
///
/// For one thread. Names are looked up without reports: what a text lacks is
/// only not found.
class Workspace {
 public:
  explicit Workspace(WorkspaceOptions options);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// Opens a text, or replaces one that is open.
  void Open(const std::string& path, std::string text);

  /// The file is as it is on the disk again.
  void Close(const std::string& path);

  /// Another program changed the file, made or removed it.
  void ReadAgain(const std::string& path);

  [[nodiscard]] bool IsOpen(const std::string& path) const;

  /// The open texts, ascending.
  [[nodiscard]] std::vector<std::string> open() const;

  /// The text of an open document, or of a file. The handle stays valid after
  /// changes, which make others.
  /// @throws Error kIo if there is none.
  std::shared_ptr<const Document> Read(const std::string& path);

  /// A text given by its source: of a file or of the built-in library.
  std::shared_ptr<const Document> Read(
      const std::shared_ptr<const SourceFile>& file);

  /// True if the text is one of the built-in library, which is no file.
  [[nodiscard]] static bool IsBuiltIn(const SourceFile& file);

  /// All texts as they stand now, for a check.
  [[nodiscard]] const FileSet& files() const noexcept;

  /// The folders in which a document's libraries are looked for, in order.
  [[nodiscard]] std::vector<std::string> FoldersOf(
      const Document& document) const;

  /// All classes as a document sees them. Valid until the next change.
  internal::ClassTree& TreeOf(const Document& document);

  /// The class of a document's text; null if other texts hide it.
  internal::ClassNode* NodeOf(const Document& document,
                              const ast::ClassDefinition& text);

  /// The same for a text of `document`, as `asked` sees it.
  internal::ClassNode* NodeOf(const Document& asked,
                              const Document& document,
                              const ast::ClassDefinition& text);

 private:
  struct Content;

  std::unique_ptr<Content> content_;
};

}  // namespace orrery::modelica
