#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/modelica/classes/class_node.h"
#include "orrery/modelica/classes/class_store.h"
#include "orrery/modelica/classes/version_conversions.h"
#include "orrery/modelica/library_texts/library_folders.h"
#include "orrery/modelica/library_texts/standard_library.h"
#include "orrery/modelica/library_texts/syntax_cache.h"

namespace orrery::modelica::internal {

/// Classes as texts store them: those of the model, of libraries on disk and of
/// the standard library (specification 3.6, section 13.4). It enters them in a
/// store and reads texts of libraries when they are asked for; it owns the
/// trees of these, or shares them with a cache.
class StoredClasses {
 public:
  /// @param cache may be null.
  StoredClasses(ClassStore& store,
                VersionConversions& conversions,
                LibraryFolders& folders,
                Diagnostics& diagnostics,
                std::shared_ptr<SyntaxCache> cache,
                LibraryTexts library_texts);

  /// Enters the classes of a text.
  void Add(const ast::StoredDefinition& definition);

  /// Enters the top-level classes of the standard library that no text defines.
  /// To be called once, after all texts of the model.
  void AddLibrary();

  /// Enters a top-level class that folders of libraries have; null if they have
  /// none.
  ClassNode* AddFromFolders(std::string_view name);

  /// Reads the text of a class unless it has been read.
  void Read(ClassNode& node);

  /// The tree of a library's text, which is kept as long as this one.
  const ast::StoredDefinition& Parsed(
      const std::shared_ptr<const SourceFile>& file);

  /// A stored class in a package that inherits it from its own package. The
  /// files within it belong to `stored`; its expansion inherits them in the
  /// same way.
  ClassNode* Inherited(ClassNode& stored, Scope* scope, std::string name);

  /// Gives a class that a built-in one stands in for the text of that.
  void TakeStandIn(ClassNode& node);

  /// Packages of such classes that a version of the library does not have.
  std::vector<ClassNode*> StandInsLackedBy(ClassNode& node);

  /// The reason for which no text may define the class `wanted` in `node`: a
  /// missing file, or a part of the standard library that is not built in;
  /// empty if it is unknown.
  [[nodiscard]] std::string WhyMissing(const ClassNode& node,
                                       std::string_view wanted) const;

 private:
  [[nodiscard]] bool TakesStandIns() const noexcept {
    return library_texts_ == LibraryTexts::kForRuns && !has_own_modelica_;
  }

  Scope* ScopeOfWithin(const ast::StoredDefinition& definition);
  ClassNode* AddPackage(ClassNode& within, std::string_view name);
  ClassNode* AddUnread(ClassNode& within, std::string name);
  void AddParts(ClassNode& node, const std::string& path);
  void ReadEmbedded(ClassNode& node, const LibraryText& text);
  void ReadFile(ClassNode& node, const std::string& path);
  void Define(ClassNode& node,
              const ast::ClassDefinition* definition,
              std::shared_ptr<const SourceFile> file);
  void TakeBuiltIn(ClassNode& node);
  const ast::StoredDefinition& Embedded(const LibraryText& text);

  ClassStore& store_;
  VersionConversions& conversions_;
  LibraryFolders& folders_;
  Diagnostics& diagnostics_;
  std::shared_ptr<SyntaxCache> cache_;  // Never null.
  LibraryTexts library_texts_;
  bool has_own_modelica_ = false;  // The built-in part is used.
  std::vector<std::shared_ptr<const ast::StoredDefinition>> library_;
  std::unordered_map<const LibraryText*, const ast::StoredDefinition*>
      embedded_;
};

}  // namespace orrery::modelica::internal
