#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/modelica/classes/library_folders.h"
#include "orrery/modelica/classes/standard_library.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

struct ClassNode;
struct Instance;

/// Where names are written: a class's text, as part of the class that inherits
/// it in the end. Names are looked up among all elements of `node`, then the
/// imports of `text`, then in `enclosing`.
struct Scope {
  ClassNode* node = nullptr;
  const ast::ClassDefinition* text = nullptr;  ///< Null for the global scope.
  Scope* enclosing = nullptr;                  ///< Null for the global scope.
  std::shared_ptr<const SourceFile> file;
};

/// What a class is, prefixes and inheritance resolved.
enum class BuiltIn : std::uint8_t {
  kNone,  ///< Made of elements.
  kReal,
  kInteger,
  kBoolean,
  kString,
  kEnumeration,
};

/// A modification and where it is written.
struct WrittenModification {
  const ast::ClassModification* modification = nullptr;
  Scope* scope = nullptr;
};

/// Sizes behind a type's name, as in `type V = Real[3]`.
struct WrittenSizes {
  const ast::Expressions* subscripts = nullptr;
  Scope* scope = nullptr;
};

/// A class text that contributes elements: the class's own (the first) or that
/// of an inherited class.
struct Part {
  Scope* scope = nullptr;
  /// Of the extends clause, and what is kept; outermost first.
  std::vector<WrittenModification> modifications;
  std::uint32_t derived = 0;  ///< The part with that clause.
  ClassNode* base = nullptr;  ///< What is inherited; null for the first.
};

/// A named element of a class: a component, or a class if `clause` is null.
struct Member {
  std::string_view name;
  ast::Span span;                         ///< Of the name in its declaration.
  const ast::Element* element = nullptr;  ///< Null for a redeclared class.
  const ast::ComponentClause* clause = nullptr;
  const ast::ComponentDeclaration* declaration = nullptr;
  ClassNode* nested = nullptr;
  /// Of a class in a file of its own: as it is in the package of that file.
  const ClassNode* stored = nullptr;
  Scope* scope = nullptr;  ///< Where its declaration is written.
  std::uint32_t part = 0;
  bool is_protected = false;
  ClassNode* type = nullptr;   ///< Of a component, once looked up.
  bool is_type_known = false;  ///< Even if the look-up failed.
  /// Of the declaration it redeclares, if any: whose modifiers still apply.
  std::uint32_t inherited_part = 0;
  /// The declaration that this one replaces, whose modifiers it keeps.
  const Member* replaced = nullptr;

  /// The declaration of this component that says something: what a
  /// redeclaration leaves unsaid is as in the one that it replaces
  /// (specification 3.6, section 7.3). Itself if none does.
  template <typename Says>
  [[nodiscard]] const Member& Declared(Says says) const {
    for (const Member* at = this; at != nullptr; at = at->replaced) {
      if (at->clause != nullptr && says(*at)) {
        return *at;
      }
    }
    return *this;
  }
};

/// An equation or algorithm section and where it is written.
struct WrittenSection {
  const ast::Section* section = nullptr;
  Scope* scope = nullptr;
};

/// A redeclaration of a nested class, from a modification, or what an outer
/// class stands for: `inner`. Of several of one name the first one holds, and
/// the constraining types of all.
struct Redeclaration {
  std::string_view name;
  const ast::ClassDefinition* definition = nullptr;
  Scope* scope = nullptr;
  const ast::ConstrainingClause* constraint = nullptr;  ///< May be null.
  ClassNode* inner = nullptr;

  friend bool operator==(const Redeclaration&, const Redeclaration&) = default;
};

/// A class in its context: all of its elements, inherited ones included, with
/// redeclarations in place. Modifiers of values belong to instances.
struct ClassNode {
  const ast::ClassDefinition* definition = nullptr;  ///< Null: predefined.
  std::string name;                                  ///< Dotted, from the top.
  Scope* enclosing = nullptr;
  std::vector<Redeclaration> redeclarations;
  Scope* scope = nullptr;  ///< Inside of it.

  enum class State : std::uint8_t { kNew, kExpanding, kDone };
  State state = State::kNew;
  bool is_broken = false;  ///< An error in it has been reported.

  BuiltIn built_in = BuiltIn::kNone;
  std::vector<std::string> literals;       ///< Of an enumeration.
  const ClassNode* enumeration = nullptr;  ///< The class with the literals.
  std::vector<WrittenModification> modifications;  ///< Outermost first.
  std::vector<WrittenSizes> sizes;                 ///< Outermost first.
  ast::Causality causality = ast::Causality::kNone;

  std::vector<Part> parts;
  std::vector<Member> members;
  std::unordered_map<std::string_view, std::uint32_t> index;
  std::vector<WrittenSection> sections;
  std::deque<Member> replaced;    ///< Inherited, then redeclared.
  ClassNode* extended = nullptr;  ///< What `model extends A` inherits.
  /// What holds of it beside what it says, outermost first: the modifications
  /// of the constraining types of all that it replaces, or of the first
  /// declaration if that has none.
  std::vector<WrittenModification> kept;
  const ast::Element* replaces = nullptr;  ///< What it is redeclared for.
  Scope* replaces_in = nullptr;            ///< Around that.
  std::vector<ClassNode*> children;        ///< From other texts (`within`).
  const ast::External* external = nullptr;
  Scope* external_scope = nullptr;  ///< Where that is written.
  /// Of a library, as long as it is not parsed: of the standard library, or the
  /// path of a file.
  std::variant<std::monostate, const LibraryText*, std::string> unread;
  /// The instance that holds its constants, once one was asked for.
  Instance* constants = nullptr;

  [[nodiscard]] ast::ClassKind kind() const noexcept {
    return definition != nullptr ? definition->prefixes.kind
                                 : ast::ClassKind::kType;
  }

  [[nodiscard]] bool is_partial() const noexcept {
    return definition != nullptr && definition->prefixes.is_partial;
  }

  [[nodiscard]] Member* Find(std::string_view member) {
    const auto found = index.find(member);
    return found == index.end() ? nullptr : &members[found->second];
  }
};

/// As in "model", with the article: "a model".
[[nodiscard]] std::string_view KindName(ast::ClassKind kind) noexcept;

/// All classes of a set of texts: look-up, inheritance, redeclaration
/// (specification, chapters 4, 5, 7 and 13). Classes are expanded when they
/// are first asked for; every name of a class is hashed once.
///
/// A name that no text defines at the top is looked for in the folders of
/// libraries, then in the standard library; each of their texts is parsed when
/// a name in it is looked up.
class ClassTree {
 public:
  /// What a simple or composite name means.
  struct Found {
    ClassNode* node = nullptr;  ///< The class found or, with `member`, the
    Member* member = nullptr;   ///< class whose component was found.
    std::size_t parts = 0;      ///< How many parts of the name were used.
    /// An imported literal of the enumeration `node`; else empty.
    std::string_view literal;
    bool is_broken = false;  ///< An error was reported on the way.
  };

  ClassTree(const std::vector<const ast::StoredDefinition*>& definitions,
            LibraryFolders folders,
            Diagnostics& diagnostics);

  [[nodiscard]] Scope* global() noexcept { return global_; }

  /// The class with a full name; null if there is none.
  ClassNode* FindGlobal(std::string_view dotted);

  /// Resolves as many parts of a name as denote classes, and the component
  /// that follows. Reports nothing itself unless a class is broken.
  Found Find(Scope* scope,
             const ast::List<ast::Identifier>& parts,
             bool is_global);
  Found FindSimple(Scope* scope, std::string_view name);

  /// The first class of each text of an enumeration or an external object:
  /// wherever it is inherited, it is one type.
  const ClassNode* FirstOf(const ast::ClassDefinition* text, ClassNode* node) {
    return first_of_.try_emplace(text, node).first->second;
  }

  /// Whether `enumeration`, which may be null, is an external object
  /// (specification 3.6, section 12.9.7): an enumeration without literals.
  [[nodiscard]] static bool IsObject(const ClassNode* enumeration) {
    return enumeration != nullptr && enumeration->definition != nullptr &&
           std::holds_alternative<ast::LongClass>(
               enumeration->definition->node);
  }

  /// The class `name` means in `scope`; reports, if `is_reported`, and gives
  /// null if there is none.
  ClassNode* FindClass(Scope* scope, const ast::Name& name);

  /// Reports the imports of a class's text that name nothing; once a text.
  void CheckImports(Scope* scope);

  /// Completes the class; false if it is broken (reported).
  bool Expand(ClassNode* node);

  /// The class a component's declaration names; null if there is none
  /// (reported once).
  ClassNode* TypeOf(Member& member);

  /// `node` with some of its classes redeclared.
  ClassNode* Redeclared(ClassNode* node,
                        std::vector<Redeclaration> redeclarations);

  /// Whether a class is `base` or inherits from it.
  bool Extends(ClassNode* node, const ClassNode* base);

  /// Reports that a predefined type has no such attribute, if so.
  void CheckAttribute(const ClassNode& type,
                      std::string_view attribute,
                      const SourceSpan& where);

  /// What of `wanted` a class that is to stand for it lacks: "it has no public
  /// 'y' as P has"; empty if it has all (specification 3.6, section 7.3.2).
  std::string Lacks(ClassNode& node, ClassNode& wanted);

  /// Reports that an element whose modification `where` is written cannot be
  /// modified: a package or function, whose elements belong to no instance.
  void CheckModifiable(const Member& member, const SourceSpan& where);

  /// What `wanted` may have meant of a class's elements, or where it may be: of
  /// the Modelica Standard Library only a part is built in.
  [[nodiscard]] std::string SuggestIn(const ClassNode& node,
                                      std::string_view wanted) const;

  /// All names visible in `scope`, for suggestions.
  [[nodiscard]] std::vector<std::string> VisibleNames(Scope* scope);

  /// The predefined class Real, Integer, ...
  [[nodiscard]] ClassNode* predefined(BuiltIn built_in) noexcept {
    return predefined_[static_cast<std::size_t>(built_in)];
  }

  /// The predefined class Clock: an enumeration without literals, whose values
  /// are no one's to write.
  [[nodiscard]] const ClassNode* clock() const noexcept { return clock_; }

  /// Whether `enumeration`, which may be null, is Clock.
  [[nodiscard]] bool IsClock(const ClassNode* enumeration) const noexcept {
    return enumeration == clock_;
  }

  [[nodiscard]] bool IsClock(const ClassNode& type) const noexcept {
    return type.enumeration == clock_;
  }

 private:
  class Expansion;
  friend class Expansion;

  ClassNode* NewNode(const ast::ClassDefinition* definition,
                     Scope* enclosing,
                     std::string name);
  Scope* NewScope(Scope scope);
  ClassNode* AddPredefined(std::string name,
                           BuiltIn built_in,
                           std::vector<std::string> literals = {});
  ClassNode* AddPackage(ClassNode& within, std::string_view name);
  Scope* ScopeOfWithin(const ast::StoredDefinition& definition);
  void AddStored(const ast::StoredDefinition& definition);
  ClassNode* AddTop(std::string name);
  void AddLibrary();
  void Read(ClassNode& node);
  void ReadEmbedded(ClassNode& node, const LibraryText& text);
  void ReadFile(ClassNode& node, const std::string& path);
  const ast::StoredDefinition& Embedded(const LibraryText& text);
  void Define(ClassNode& node,
              const ast::ClassDefinition* definition,
              std::shared_ptr<const SourceFile> file);
  ClassNode* Inherited(ClassNode& stored, Scope* scope, std::string name);
  ClassNode* AddUnread(ClassNode& within, std::string name);
  void AddParts(ClassNode& node, const std::string& path);
  ClassNode* AddFromFolders(std::string_view name);
  void TakeStandIn(ClassNode& node);
  void TakeBuiltIn(ClassNode& node);
  std::vector<ClassNode*> StandInsLackedBy(ClassNode& node);
  Scope* NewFileScope(Scope* within, std::shared_ptr<const SourceFile> file);
  Found FindImported(Scope* scope, std::string_view name);
  Found FindBy(const ast::Import& import, std::string_view name);
  Found FindListed(ClassNode* package, std::string_view name);
  bool HasLiteral(ClassNode* node, std::string_view name);

  // An import that is to give a name, and the scope in which it stands.
  struct ImportOf {
    const ast::Import* import = nullptr;  // Null: there is none.
    Scope* scope = nullptr;
  };

  ImportOf FindImportOf(Scope* scope, std::string_view name);
  void CheckImport(Scope* scope, const ast::Import& import);
  void ReportMissing(Scope* scope,
                     const ast::Identifier& name,
                     const ClassNode& node);
  Found FindIn(ClassNode* node, std::string_view name);
  Found FindInFolders(std::string_view name, Found found);
  const std::vector<const ast::Import*>& ImportsOf(
      const ast::ClassDefinition* text);
  Found Continue(Found found, const ast::List<ast::Identifier>& parts);

  Diagnostics& diagnostics_;
  LibraryFolders folders_;
  bool has_own_modelica_ = false;  // The part that is built in.
  std::deque<ClassNode> nodes_;
  std::deque<Scope> scopes_;
  std::vector<std::unique_ptr<const ast::StoredDefinition>> library_;
  std::unordered_map<const LibraryText*, const ast::StoredDefinition*>
      embedded_;
  Scope* global_ = nullptr;
  ClassNode* root_ = nullptr;
  std::vector<ClassNode*> predefined_;
  const ClassNode* clock_ = nullptr;
  const ClassNode* external_object_ = nullptr;
  std::unordered_map<const ClassNode*, std::vector<ClassNode*>> redeclared_;
  std::unordered_map<const ast::ClassDefinition*,
                     std::vector<const ast::Import*>>
      imports_;
  std::unordered_map<const ast::ClassDefinition*, const ClassNode*> first_of_;
  std::unordered_set<const ast::ClassDefinition*> checked_;  // Their imports.
  std::unordered_set<const ast::Import*> reported_;
  std::size_t import_depth_ = 0;
};

/// The elements that a modification may name, and one that a wrong name may
/// have meant: `did you mean 'k'?`.
[[nodiscard]] std::string SuggestMember(std::string_view wanted,
                                        const ClassNode& node);

/// A function's public members of that causality, in order.
[[nodiscard]] std::vector<Member*> MembersOf(ClassNode& function,
                                             ast::Causality causality);

/// How many dimensions an input of that type has as it is declared.
[[nodiscard]] std::size_t DeclaredRank(const Member& input,
                                       const ClassNode& type);

/// Where `span` of `scope`'s text is.
[[nodiscard]] SourceSpan At(const Scope* scope, const ast::Span& span);

}  // namespace orrery::modelica::internal
