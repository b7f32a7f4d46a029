#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "orrery/base/source_file.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// Meaning of a name.
struct NameTarget {
  enum class Kind : std::uint8_t {
    kNone,
    kClass,
    kComponent,
    kLiteral,    ///< A literal of the enumeration `node`.
    kIterator,   ///< The iterator of a loop or a reduction.
    kAttribute,  ///< An attribute of a predefined type, as `start`.
  };

  Kind kind = Kind::kNone;
  ClassNode* node = nullptr;  ///< The class, or the class that has the element.
  Member* member = nullptr;   ///< Components only.
  std::string_view name;
  SourceSpan declared;  ///< Its name where it is declared; perhaps no file.

  explicit operator bool() const noexcept { return kind != Kind::kNone; }

  /// True for two names of one declaration.
  friend bool operator==(const NameTarget& a, const NameTarget& b);
};

/// Looks names up as the specification says, chapter 5, and through components.
/// The class tree must outlive it. Nothing is reported.
class NameResolver {
 public:
  explicit NameResolver(ClassTree& tree) : tree_(tree) {}

  /// `a.b.c` in a scope, which may be null: nothing is found then.
  NameTarget Find(Scope* scope,
                  std::span<const ast::Identifier> parts,
                  bool is_global = false);

  /// The element `name` of a class, which may be null.
  NameTarget FindIn(ClassNode* node, std::string_view name);

  /// The class of what a target stands for: itself or the type of a component.
  ClassNode* ClassOf(const NameTarget& target);

  [[nodiscard]] ClassTree& tree() noexcept { return tree_; }

 private:
  NameTarget Literal(ClassNode* node, std::string_view name);

  ClassTree& tree_;
};

[[nodiscard]] NameTarget TargetOf(ClassNode& node);
[[nodiscard]] NameTarget TargetOf(ClassNode& node, Member& component);

/// True if an element of that name may be given as an attribute: `start`.
[[nodiscard]] bool IsAttribute(const ClassNode& type, std::string_view name);

/// The attributes that a modification of the type may give.
[[nodiscard]] std::span<const std::string_view> AttributesOf(
    const ClassNode& type);

}  // namespace orrery::modelica::internal
