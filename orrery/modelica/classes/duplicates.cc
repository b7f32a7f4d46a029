#include "orrery/modelica/classes/duplicates.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/syntax/unparse.h"

namespace orrery::modelica::internal {
namespace {

// A component's declaration, where it is written.
struct Declaration {
  const ast::ComponentClause* clause = nullptr;
  const ast::ComponentDeclaration* declaration = nullptr;
  Scope* scope = nullptr;
};

// How far two declarations of a name say the same.
enum class Likeness : std::uint8_t {
  kNone,
  kSameValue,  // The same, but for the attributes of its predefined type.
  kSame,
};

std::string SignatureText(const ast::ClassDefinition& definition) {
  return Unparse(definition, Descriptions::kLeftOut);
}

// A short class's text without the name of its base.
std::string TextWithoutBase(const ast::ClassDefinition& definition) {
  ast::ClassDefinition copy = definition;
  std::get<ast::ShortClass>(copy.node).base = {};
  return SignatureText(copy);
}

// A declaration's text without its type, description, annotation and modifiers
// of elements or attributes: the modifiers in the extends clauses may make
// these equal.
std::string TextWithoutType(const ast::Element& element,
                            const ast::ComponentClause& clause,
                            const ast::ComponentDeclaration& declaration) {
  ast::Modification modification;
  ast::ComponentDeclaration own = declaration;
  if (own.modification != nullptr) {
    modification = *own.modification;
    modification.arguments = nullptr;
    own.modification = modification.value != nullptr ? &modification : nullptr;
  }
  ast::ComponentClause whole = clause;
  whole.components = {&own, 1};
  whole.type = {};
  ast::Element copy = element;
  copy.node = &whole;
  copy.constraint = nullptr;
  copy.is_replaceable = false;
  copy.is_redeclare = false;
  return Unparse(copy, Descriptions::kLeftOut);
}

// The clause among the arguments that redeclares `name`; null if none.
const ast::ComponentClause* RedeclarationIn(
    const ast::List<ast::Argument>& arguments, std::string_view name) {
  const ast::ComponentClause* found = nullptr;
  for (const ast::Argument& argument : arguments) {
    const auto* const clause =
        std::get_if<const ast::ComponentClause*>(&argument.node);
    if (clause != nullptr && (*clause)->components.front().name.text == name) {
      found = *clause;
    }
  }
  return found;
}

// The declaration as enclosing extends clauses redeclare it, the outermost
// last.
Declaration WrittenDeclarationOf(const ClassNode& node, const Member& member) {
  Declaration found{.clause = member.clause,
                    .declaration = member.declaration,
                    .scope = member.scope};
  for (std::uint32_t at = member.part; at != 0; at = node.parts[at].derived) {
    const std::vector<WrittenModification>& there =
        node.parts[at].modifications;
    // NOLINTNEXTLINE(modernize-loop-convert): clang 14 has no reversed views.
    for (auto written = there.rbegin(); written != there.rend(); ++written) {
      const ast::ComponentClause* const clause =
          written->modification == nullptr
              ? nullptr
              : RedeclarationIn(written->modification->arguments, member.name);
      if (clause != nullptr) {
        found = {.clause = clause,
                 .declaration = &clause->components.front(),
                 .scope = written->scope};
      }
    }
  }
  return found;
}

// True if both are scalars of one predefined type, whatever their attributes.
bool AreSameKind(ClassTree& tree, ClassNode* a, ClassNode* b) {
  return a != nullptr && b != nullptr && tree.Expand(a) && tree.Expand(b) &&
         a->built_in != BuiltIn::kNone && a->built_in == b->built_in &&
         a->enumeration == b->enumeration && a->sizes.empty() &&
         b->sizes.empty();
}

bool AreSameClass(ClassTree& tree, const ClassNode& a, const ClassNode& b) {
  const auto* const first = std::get_if<ast::ShortClass>(&a.definition->node);
  const auto* const second = std::get_if<ast::ShortClass>(&b.definition->node);
  if (first == nullptr || second == nullptr) {
    return SignatureText(*a.definition) == SignatureText(*b.definition);
  }
  return TextWithoutBase(*a.definition) == TextWithoutBase(*b.definition) &&
         tree.FindClass(a.enclosing, first->base) ==
             tree.FindClass(b.enclosing, second->base);
}

Likeness Compare(ClassTree& tree,
                 const ClassNode& node,
                 const Member& a,
                 const Member& b) {
  if (a.element == nullptr || b.element == nullptr ||
      (a.nested == nullptr) != (b.nested == nullptr)) {
    return Likeness::kNone;
  }
  if (a.nested != nullptr) {
    return AreSameClass(tree, *a.nested, *b.nested) ? Likeness::kSame
                                                    : Likeness::kNone;
  }
  const Declaration first = WrittenDeclarationOf(node, a);
  const Declaration second = WrittenDeclarationOf(node, b);
  if (TextWithoutType(*a.element, *first.clause, *first.declaration) !=
      TextWithoutType(*b.element, *second.clause, *second.declaration)) {
    return Likeness::kNone;
  }
  ClassNode* const type = tree.FindClass(first.scope, first.clause->type);
  ClassNode* const other = tree.FindClass(second.scope, second.clause->type);
  if (type == other) {
    return Likeness::kSame;
  }
  const ast::Modification* const said = first.declaration->modification;
  return said != nullptr && said->value != nullptr &&
                 AreSameKind(tree, type, other)
             ? Likeness::kSameValue
             : Likeness::kNone;
}

}  // namespace

void CheckDuplicates(ClassTree& tree,
                     const ClassNode& node,
                     std::span<const Duplicate> duplicates,
                     Diagnostics& diagnostics) {
  for (const auto& [number, added] : duplicates) {
    const Member& known = node.members[number];
    const bool is_inherited = known.part != added.part;
    const Likeness likeness =
        is_inherited ? Compare(tree, node, known, added) : Likeness::kNone;
    const std::string what =
        "'" + std::string(added.name) + "' is declared twice in " + node.name;
    if (likeness == Likeness::kSameValue) {
      diagnostics.Warning(
          At(added.scope, added.span),
          what +
              ", with the same value but another type; it is taken once "
              "(specification 3.6, section 5.6.1.4)",
          "leave it out: it is also inherited");
    } else if (likeness == Likeness::kNone) {
      diagnostics.Error(At(added.scope, added.span),
                        what,
                        is_inherited ? "it is also inherited" : "");
    }
  }
}

}  // namespace orrery::modelica::internal
