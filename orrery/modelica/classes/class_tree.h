#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/modelica/classes/conversion.h"
#include "orrery/modelica/classes/library_folders.h"
#include "orrery/modelica/classes/standard_library.h"
#include "orrery/modelica/classes/syntax_cache.h"
#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/class_kind.h"

namespace orrery::modelica::internal {

struct ClassNode;
struct Instance;
struct SelectedSections;

/// The place where names are written: a class's text, as a part of the class
/// that finally inherits it. Names are looked up among all elements of `node`,
/// then among the imports of `text`, then in `enclosing`.
struct Scope {
  ClassNode* node = nullptr;
  const ast::ClassDefinition* text = nullptr;  ///< Null for the global scope.
  Scope* enclosing = nullptr;                  ///< Null for the global scope.
  std::shared_ptr<const SourceFile> file;
};

/// The predefined type of a class, after its inheritance is resolved.
enum class BuiltIn : std::uint8_t {
  kNone,  ///< A class with elements.
  kReal,
  kInteger,
  kBoolean,
  kString,
  kEnumeration,
};

/// A modification and the scope in which it is written.
struct WrittenModification {
  const ast::ClassModification* modification = nullptr;
  Scope* scope = nullptr;
};

/// Array sizes after a type's name, as in `type V = Real[3]`.
struct WrittenSizes {
  const ast::Expressions* subscripts = nullptr;
  Scope* scope = nullptr;
};

/// A class text that contributes elements: first the class's own text, then
/// those of inherited classes.
struct Part {
  Scope* scope = nullptr;
  /// From the extends clause and from constraining types; outermost first.
  std::vector<WrittenModification> modifications;
  std::uint32_t derived = 0;  ///< The part that contains the extends clause.
  ClassNode* base = nullptr;  ///< The inherited class; null for the first part.
  /// The name of `base` in the version of its library that the text of the
  /// extends clause uses; empty if that has its present name.
  std::string_view old_base;
};

/// A named element of a class: a component, or a class if `clause` is null.
struct Member {
  std::string_view name;
  ast::Span span;                         ///< The name in its declaration.
  const ast::Element* element = nullptr;  ///< Null for a redeclared class.
  const ast::ComponentClause* clause = nullptr;
  const ast::ComponentDeclaration* declaration = nullptr;
  ClassNode* nested = nullptr;
  /// For a class stored in a file of its own: its node in the package of that
  /// file.
  const ClassNode* stored = nullptr;
  Scope* scope = nullptr;  ///< The scope of its declaration.
  std::uint32_t part = 0;
  bool is_protected = false;
  ClassNode* type = nullptr;   ///< The type of a component, once looked up.
  bool is_type_known = false;  ///< True even if the look-up failed.
  std::string_view old_type;   ///< As `old_base` of a Part.
  /// The part of the declaration that it redeclares (else its own part). The
  /// part's modifiers still apply.
  std::uint32_t inherited_part = 0;
  /// The declaration that this one replaces and whose modifiers it keeps.
  const Member* replaced = nullptr;

  /// The newest declaration of this component for which `says` holds; else this
  /// one. A redeclaration inherits all that it leaves unsaid (specification
  /// 3.6, section 7.3).
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

/// A redeclaration of a nested class by a modification or, with `inner`, the
/// inner class of an outer class. The first one of a name holds, with the
/// constraining types of all.
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
  Scope* scope = nullptr;  ///< The scope inside the class.

  enum class State : std::uint8_t { kNew, kExpanding, kDone };
  State state = State::kNew;
  bool is_broken = false;  ///< An error in it has been reported.

  BuiltIn built_in = BuiltIn::kNone;
  std::vector<std::string> literals;       ///< Enumerations only.
  const ClassNode* enumeration = nullptr;  ///< The class with the literals.
  std::vector<WrittenModification> modifications;  ///< Outermost first.
  std::vector<WrittenSizes> sizes;                 ///< Outermost first.
  ast::Causality causality = ast::Causality::kNone;

  std::vector<Part> parts;
  std::vector<Member> members;
  std::unordered_map<std::string_view, std::uint32_t> index;
  std::vector<WrittenSection> sections;
  std::shared_ptr<SelectedSections> selected;  ///< Some of them; often null.
  std::vector<ast::Identifier> differentiated_by;  ///< Inputs of der(f, u, ..).
  std::deque<Member> replaced;    ///< Inherited and redeclared members.
  ClassNode* extended = nullptr;  ///< The base of `model extends A`.
  /// Modifications that survive a redeclaration, outermost first: those of the
  /// constraining types of all replaced declarations, or those of the first
  /// declaration if it has no constraining type.
  std::vector<WrittenModification> kept;
  const ast::Element* replaces = nullptr;  ///< The element that it redeclares.
  Scope* replaces_in = nullptr;            ///< The scope of `replaces`.
  std::vector<ClassNode*> children;  ///< Defined by other texts (`within`).
  const ast::External* external = nullptr;
  Scope* external_scope = nullptr;  ///< The scope of `external`.
  /// The source of an unread library class: a text of the built-in library or a
  /// file's path.
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

/// Choice whether classes of the Modelica Standard Library that are implemented
/// in C have built-in ones in their places, which can be run, or are as a user
/// reads them.
enum class LibraryTexts : std::uint8_t { kForRuns, kAsWritten };

/// All classes of a set of texts: look-up, inheritance, redeclaration
/// (specification, chapters 4, 5, 7 and 13). Classes are expanded when they
/// are first asked for; every name of a class is hashed once.
///
/// A name that no text defines at the top is looked for in the folders of
/// libraries, then in the standard library; each of their texts is parsed when
/// a name in it is looked up, or taken from a cache that several trees share.
class ClassTree {
 public:
  /// The result of looking up a simple or composite name.
  struct Found {
    ClassNode* node = nullptr;  ///< The class found or, with `member`, the
    Member* member = nullptr;   ///< class whose component was found.
    std::size_t parts = 0;      ///< The number of name parts used.
    /// An imported literal of the enumeration `node`; else empty.
    std::string_view literal;
    bool is_broken = false;  ///< An error was reported on the way.
    /// The name of `node` in the version of its library that the text uses;
    /// empty if that is its present name.
    std::string_view old_name;
  };

  ClassTree(const std::vector<const ast::StoredDefinition*>& definitions,
            LibraryFolders folders,
            Diagnostics& diagnostics,
            std::shared_ptr<SyntaxCache> cache = nullptr,
            LibraryTexts library_texts = LibraryTexts::kForRuns);

  [[nodiscard]] Scope* global() noexcept { return global_; }

  /// The class with a full name; null if there is none.
  ClassNode* FindGlobal(std::string_view dotted);

  /// Resolves as many parts of a name as denote classes, and the component
  /// that follows. Reports nothing itself unless a class is broken.
  Found Find(Scope* scope,
             const ast::List<ast::Identifier>& parts,
             bool is_global);
  Found FindSimple(Scope* scope, std::string_view name);

  /// The element `name` of a class; reads the text of a nested class.
  Found FindIn(ClassNode* node, std::string_view name);

  /// The first class of each text of an enumeration or an external object:
  /// wherever it is inherited, it is one type.
  const ClassNode* FirstOf(const ast::ClassDefinition* text, ClassNode* node) {
    return first_of_.try_emplace(text, node).first->second;
  }

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

  /// True if texts use other versions of libraries than those that are there.
  [[nodiscard]] bool has_conversions() const noexcept {
    return has_conversions_;
  }

  /// True if the text in `scope` does.
  [[nodiscard]] bool IsConverted(const Scope* scope) {
    return ConversionsIn(scope) != nullptr;
  }

  /// The rules by which a text in `scope`, which may be written for an older
  /// version of a library, names the elements of a class.
  /// @param old_name of the class there; empty if it has its present name.
  std::vector<RuleOfClass> RulesFor(const Scope* scope,
                                    const ClassNode& node,
                                    std::string_view old_name = {});

  /// The present name of the element that such a text names so; the same name
  /// unless the class lacks it and a rule gives another.
  std::string_view NewNameOf(const Scope* scope,
                             ClassNode& node,
                             std::string_view name,
                             std::string_view old_name = {});

  /// The arguments of a modification that a rule writes, `k = 2, b(c = 3)`. Its
  /// names are looked up in `scope`; the result has that as it is to be used.
  WrittenModification MakeModification(const std::string& arguments,
                                       const Scope& scope);

  /// Warns of libraries of which texts use other versions than those that were
  /// taken, with the number of names that were converted. To be called once,
  /// when all names have been looked up.
  void ReportConversions();

  /// Reports the imports of a class's text that name nothing; once a text.
  void CheckImports(Scope* scope);

  /// Completes the class; false if it is broken (reported).
  bool Expand(ClassNode* node);

  /// The type that a component's declaration names; null if there is none
  /// (reported once).
  ClassNode* TypeOf(Member& member);

  /// `node` with some of its classes redeclared.
  ClassNode* Redeclared(ClassNode* node,
                        std::vector<Redeclaration> redeclarations);

  /// True if a class is `base` or inherits from it.
  bool Extends(ClassNode* node, const ClassNode* base);

  /// Reports an error unless the predefined type has the attribute.
  void CheckAttribute(const ClassNode& type,
                      std::string_view attribute,
                      const SourceSpan& where);

  /// Describes what a class lacks to stand in for `wanted`: "it has no public
  /// 'y' as P has"; empty if it lacks nothing (specification 3.6, section
  /// 7.3.2).
  std::string Lacks(ClassNode& node, ClassNode& wanted);

  /// Reports an error if the element cannot be modified: a package or function,
  /// whose elements belong to no instance.
  /// @param where the modification is written.
  void CheckModifiable(const Member& member, const SourceSpan& where);

  /// A hint for `wanted`, a name that the class lacks: a similar element, or
  /// the place where it may be, since only a part of the Modelica Standard
  /// Library is built in.
  [[nodiscard]] std::string SuggestIn(const ClassNode& node,
                                      std::string_view wanted) const;

  /// Names the elements that a modification may name, or one that a misspelt
  /// name probably means: `did you mean 'k'?`.
  [[nodiscard]] std::string SuggestMember(std::string_view wanted,
                                          const ClassNode& node) const;

  /// True while errors are stored. Later ones are only counted, so they need no
  /// hint: the search for similar names takes longer the more names there are.
  [[nodiscard]] bool needs_hints() const noexcept {
    return diagnostics_.error_count() < Diagnostics::kMaxErrors;
  }

  /// All names visible in `scope`, for suggestions.
  [[nodiscard]] std::vector<std::string> VisibleNames(Scope* scope);

  /// The predefined class Real, Integer, ...
  [[nodiscard]] ClassNode* predefined(BuiltIn built_in) noexcept {
    return predefined_[static_cast<std::size_t>(built_in)];
  }

  /// The predefined class Clock: an enumeration without literals, whose values
  /// cannot be written in a text.
  [[nodiscard]] const ClassNode* clock() const noexcept { return clock_; }

  /// True if `enumeration`, which may be null, is Clock.
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
  const ast::StoredDefinition& Parsed(
      const std::shared_ptr<const SourceFile>& file);
  void Define(ClassNode& node,
              const ast::ClassDefinition* definition,
              std::shared_ptr<const SourceFile> file);
  ClassNode* Inherited(ClassNode& stored, Scope* scope, std::string name);
  ClassNode* AddUnread(ClassNode& within, std::string name);
  void AddParts(ClassNode& node, const std::string& path);
  ClassNode* AddFromFolders(std::string_view name);

  [[nodiscard]] bool HasStandIns() const noexcept {
    return library_texts_ == LibraryTexts::kForRuns && !has_own_modelica_;
  }

  void TakeStandIn(ClassNode& node);
  void TakeBuiltIn(ClassNode& node);
  std::vector<ClassNode*> StandInsLackedBy(ClassNode& node);
  Scope* NewFileScope(Scope* within, std::shared_ptr<const SourceFile> file);
  Found FindImported(Scope* scope, std::string_view name);
  Found FindBy(Scope* scope, const ast::Import& import, std::string_view name);
  Found FindListed(Scope* scope, const Found& package, std::string_view name);
  bool HasLiteral(ClassNode* node, std::string_view name);

  // An import that may provide a name, and the scope in which it stands.
  struct ImportOf {
    const ast::Import* import = nullptr;  // Null if there is none.
    Scope* scope = nullptr;
  };

  ImportOf FindImportOf(Scope* scope, std::string_view name);
  void CheckImport(Scope* scope, const ast::Import& import);
  Found ResolveClass(Scope* scope, const ast::Name& name);
  void ReportMissing(Scope* scope,
                     const ast::Identifier& name,
                     const Found& around);
  Found FindInFolders(std::string_view name, Found found);
  const std::vector<const ast::Import*>& ImportsOf(
      const ast::ClassDefinition* text);
  Found Continue(Scope* scope,
                 Found found,
                 const ast::List<ast::Identifier>& parts);

  // Names of older versions of libraries.

  void TakeUses(const ast::ClassDefinition& definition,
                const std::shared_ptr<const SourceFile>& file);
  const TextConversions* ConversionsIn(const Scope* scope);
  LibraryConversion* ConversionFor(const TextConversions::Use& use,
                                   const ClassNode& library);
  bool ReadConversion(const ClassNode& library, LibraryConversion& conversion);
  bool ReadRules(const ClassNode& library,
                 const ast::ClassModification& from,
                 LibraryConversion& conversion);
  Found FindElement(const Scope* scope,
                    const TextConversions* conversions,
                    const Found& around,
                    std::string_view name);
  Found FindRenamed(const TextConversions& conversions, const std::string& old);
  Found FindNew(std::string_view dotted);
  Found FindCase(const Member& member);
  bool ReportMessage(Scope* scope,
                     const ast::Span& span,
                     const std::string& old_name);
  std::string LostName(const Scope* scope, const std::string& old);

  Diagnostics& diagnostics_;
  std::shared_ptr<SyntaxCache> cache_;  // Never null.
  LibraryFolders folders_;
  LibraryTexts library_texts_;
  bool has_own_modelica_ = false;  // The built-in part is used.
  std::deque<ClassNode> nodes_;
  std::deque<Scope> scopes_;
  std::vector<std::shared_ptr<const ast::StoredDefinition>> library_;
  std::unordered_map<const LibraryText*, const ast::StoredDefinition*>
      embedded_;
  /// By the text of the top-level class.
  std::unordered_map<const ast::ClassDefinition*, TextConversions> uses_;
  /// By the library and the version that a text uses; null if nothing needs to
  /// be converted.
  std::map<std::pair<std::string, std::string>,
           std::unique_ptr<LibraryConversion>>
      conversions_;
  bool has_conversions_ = false;  // Not null all.
  std::unordered_set<std::string> old_names_;
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
  std::unordered_set<const ast::ClassDefinition*> checked_;  // For imports.
  std::unordered_set<const ast::Import*> reported_;
  std::size_t import_depth_ = 0;
};

/// A function's public members of that causality, in order.
[[nodiscard]] std::vector<Member*> MembersOf(ClassNode& function,
                                             ast::Causality causality);

/// How many dimensions an input of that type has as it is declared.
[[nodiscard]] std::size_t DeclaredRank(const Member& input,
                                       const ClassNode& type);

/// Where `span` of `scope`'s text is.
[[nodiscard]] SourceSpan At(const Scope* scope, const ast::Span& span);

}  // namespace orrery::modelica::internal
