#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/modelica/classes/class_node.h"
#include "orrery/modelica/classes/class_store.h"
#include "orrery/modelica/library_texts/standard_library.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

class ConvertedNames;
class Imports;
class LibraryFolders;
class StoredClasses;
class SyntaxCache;
class VersionConversions;

/// All classes of a set of texts: look-up, inheritance, redeclaration
/// (specification, chapters 4, 5, 7 and 13). Classes are expanded when they
/// are first asked for; every name of a class is hashed once.
///
/// A name that no text defines at the top is looked for in the folders of
/// libraries, then in the standard library; each of their texts is parsed when
/// a name in it is looked up, or taken from a cache that several trees share.
///
/// This is the door to look-up and expansion. Each of its parts owns what its
/// subject needs: ClassStore the nodes, StoredClasses the texts, Imports the
/// import clauses, VersionConversions and ConvertedNames the names of older
/// versions of libraries.
class ClassTree {
 public:
  using Found = FoundName;

  ClassTree(const std::vector<const ast::StoredDefinition*>& definitions,
            LibraryFolders folders,
            Diagnostics& diagnostics,
            std::shared_ptr<SyntaxCache> cache = nullptr,
            LibraryTexts library_texts = LibraryTexts::kForRuns);
  ClassTree(const ClassTree&) = delete;
  ClassTree& operator=(const ClassTree&) = delete;
  ~ClassTree();

  [[nodiscard]] Scope* global() noexcept { return store_.global(); }

  /// The rules for names in texts that use other versions of libraries.
  [[nodiscard]] VersionConversions& conversions() noexcept {
    return *conversions_;
  }

  /// The class with a full name; null if there is none.
  ClassNode* FindGlobal(std::string_view dotted);

  /// Resolves as many parts of a name as denote classes, and the component
  /// that follows. Reports nothing itself unless a class is broken.
  Found Find(Scope* scope,
             const ast::List<ast::Identifier>& parts,
             bool is_global);
  Found FindSimple(Scope* scope, std::string_view name);

  /// The top-level class of that name that folders of libraries have.
  /// @param found is the result if they have none, or if a class is broken.
  Found FindInFolders(std::string_view name, const Found& found);

  /// The element `name` of a class; reads the text of a nested class.
  Found FindIn(ClassNode* node, std::string_view name);

  /// True if `enumeration`, which may be null, is an external object
  /// (specification 3.6, section 12.9.7): an enumeration without literals.
  [[nodiscard]] static bool IsObject(const ClassNode* enumeration) {
    return enumeration != nullptr && enumeration->definition != nullptr &&
           std::holds_alternative<ast::LongClass>(
               enumeration->definition->node);
  }

  /// The class that `name` denotes in `scope`; null, after a report, if there
  /// is none.
  ClassNode* FindClass(Scope* scope, const ast::Name& name) {
    return ResolveClass(scope, name).node;
  }

  /// The same with the name that the text uses; reports what is no class.
  Found ResolveClass(Scope* scope, const ast::Name& name);

  /// Reports that `around` has no class of that name.
  void ReportMissing(Scope* scope,
                     const ast::Identifier& name,
                     const Found& around);

  /// True if a class, which may be null, is an enumeration with that literal.
  bool HasLiteral(ClassNode* node, std::string_view name);

  /// The arguments of a modification that a rule writes, `k = 2, b(c = 3)`. Its
  /// names are looked up in `scope`; the result has that as it is to be used.
  WrittenModification MakeModification(const std::string& arguments,
                                       const Scope& scope);

  /// Reports the imports of a class's text that name nothing; once a text.
  void CheckImports(Scope* scope);

  /// Completes the class; false if it is broken (reported).
  bool Expand(ClassNode* node);

  /// The type that a component's declaration names; null if there is none
  /// (reported once).
  ClassNode* TypeOf(Member& member);

  /// `node` with some of its classes redeclared.
  ClassNode* Redeclared(ClassNode* node,
                        std::vector<Redeclaration> redeclarations) {
    return store_.Redeclared(node, std::move(redeclarations));
  }

  /// True if a class is `base` or inherits from it.
  bool Extends(ClassNode* node, const ClassNode* base);

  /// A hint for `wanted`, a name that the class lacks: a similar element, or
  /// the place where it may be, since only a part of the Modelica Standard
  /// Library is built in.
  [[nodiscard]] std::string SuggestIn(const ClassNode& node,
                                      std::string_view wanted) const;

  /// All names visible in `scope`, for suggestions.
  [[nodiscard]] std::vector<std::string> VisibleNames(Scope* scope);

  /// The predefined class Real, Integer, ...
  [[nodiscard]] ClassNode* predefined(BuiltIn built_in) noexcept {
    return store_.predefined(built_in);
  }

  /// The predefined class Clock: an enumeration without literals, whose values
  /// cannot be written in a text.
  [[nodiscard]] const ClassNode* clock() const noexcept {
    return store_.clock();
  }

  /// True if `enumeration`, which may be null, is Clock.
  [[nodiscard]] bool IsClock(const ClassNode* enumeration) const noexcept {
    return enumeration == store_.clock();
  }

  [[nodiscard]] bool IsClock(const ClassNode& type) const noexcept {
    return type.enumeration == store_.clock();
  }

 private:
  Diagnostics& diagnostics_;
  ClassStore store_;
  std::unique_ptr<LibraryFolders> folders_;
  std::unique_ptr<VersionConversions> conversions_;
  std::unique_ptr<StoredClasses> texts_;
  std::unique_ptr<ConvertedNames> converted_;
  std::unique_ptr<Imports> imports_;
};

}  // namespace orrery::modelica::internal
