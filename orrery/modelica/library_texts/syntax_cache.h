#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/modelica/library_texts/standard_library.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// The trees of texts, each parsed once. A text is immutable, so its tree never
/// grows stale: who edits a file makes another SourceFile. Several ClassTrees
/// share a cache, one after the other; one thread at a time may use it.
class SyntaxCache {
 public:
  /// A tree and what its parser reported.
  struct Parsed {
    std::shared_ptr<const ast::StoredDefinition> tree;
    std::vector<Diagnostic> findings;
  };

  /// Parses the text unless its tree is known. The reference holds until the
  /// next call of Forget().
  const Parsed& Parse(const std::shared_ptr<const SourceFile>& file);

  /// The file of a built-in text, one for all trees.
  const std::shared_ptr<const SourceFile>& FileOf(const LibraryText& text);

  /// Drops the tree of that text.
  void Forget(const std::shared_ptr<const SourceFile>& file);

  [[nodiscard]] std::size_t size() const noexcept { return trees_.size(); }

 private:
  std::unordered_map<std::shared_ptr<const SourceFile>, Parsed> trees_;
  std::unordered_map<const LibraryText*, std::shared_ptr<const SourceFile>>
      built_in_;
};

}  // namespace orrery::modelica::internal
