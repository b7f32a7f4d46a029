#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/class_kind.h"

/// The nodes of a ClassTree, and the elements and scopes that they are made of.
namespace orrery::modelica::internal {

struct ClassNode;
struct Instance;
struct LibraryText;
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
  bool makes_constants = false;  ///< While that instance is made.

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

/// The result of looking up a simple or composite name.
struct FoundName {
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

/// A function's public members of that causality, in order.
[[nodiscard]] std::vector<Member*> MembersOf(ClassNode& function,
                                             ast::Causality causality);

/// How many dimensions an input of that type has as it is declared.
[[nodiscard]] std::size_t DeclaredRank(const Member& input,
                                       const ClassNode& type);

/// Where `span` of `scope`'s text is.
[[nodiscard]] SourceSpan At(const Scope* scope, const ast::Span& span);

}  // namespace orrery::modelica::internal
