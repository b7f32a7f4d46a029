#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "orrery/modelica/workspace/document.h"
#include "orrery/modelica/workspace/name_target.h"

namespace orrery::modelica::internal {

/// The role of a name in its text.
enum class NameRole : std::uint8_t {
  kDeclaration,  ///< It declares a class, component, literal or iterator.
  kEnd,          ///< `end Name`.
  kType,         ///< A class: of a component, a base, an import.
  kReference,    ///< In an expression, an equation or a statement.
  kCall,         ///< The function of a call.
  kModifier,     ///< An element that is modified, or an attribute.
  kArgument,     ///< A named argument of a call.
};

/// A name in a text and what it stands for.
struct NameUse {
  ast::Identifier name;
  NameRole role = NameRole::kReference;
  NameTarget target;
  /// The class in whose text it stands; may be null.
  ClassNode* around = nullptr;
};

/// Names to look for: only those for which `wants` holds are looked up, in
/// nodes that `within` touches.
struct NameFilter {
  std::function<bool(const ast::Identifier&)> wants;
  std::optional<ast::Span> within;
};

/// Looks up all names of a text that the filter wants, in source order within
/// each production, and gives them to `take`. Those that stand for nothing come
/// with an empty target.
///
/// @param node_of the class of a text at the top of the document, or null.
class NameWalk {
 public:
  using NodeOf = std::function<ClassNode*(const ast::ClassDefinition&)>;
  using Take = std::function<void(const NameUse&)>;

  NameWalk(const Document& document,
           NameResolver& names,
           const NameFilter& filter,
           const Take& take)
      : document_(document), names_(names), filter_(filter), take_(take) {}

  void Run(const NodeOf& node_of);

 private:
  // Where names are looked up.
  struct Place {
    Scope* scope = nullptr;
    ClassNode* node = nullptr;
  };

  [[nodiscard]] bool Skips(const ast::Span& span) const;
  void Take1(const ast::Identifier& name,
             NameRole role,
             const NameTarget& target,
             const Place& place);
  void VisitPath(const ast::List<ast::Identifier>& parts,
                 bool is_global,
                 NameRole role,
                 const Place& place);
  void VisitType(const ast::Name& name, const Place& place);
  ClassNode* ClassNamed(const ast::Name& name, const Place& place);
  void VisitClass(const ast::ClassDefinition& text,
                  ClassNode* node,
                  const Place& around);
  void VisitBody(const ast::LongClass& body, const Place& place);
  void VisitShort(const ast::ShortClass& body, const Place& around);
  void VisitElement(const ast::Element& element, const Place& place);
  void VisitImport(const ast::Import& import, const Place& place);
  void VisitNested(const ast::ClassDefinition& text, const Place& place);
  void VisitClause(const ast::ComponentClause& clause, const Place& place);
  void VisitConstraint(const ast::ConstrainingClause* constraint,
                       const Place& place);
  void VisitExternal(const ast::External& external, const Place& place);
  void VisitModification(const ast::Modification* modification,
                         ClassNode* type,
                         const Place& place);
  void VisitModifiers(const ast::ClassModification* modifiers,
                      ClassNode* type,
                      const Place& place);
  void VisitModifier(const ast::ElementModification& modifier,
                     ClassNode* type,
                     const Place& place);
  void VisitRedeclared(const ast::Argument& argument,
                       ClassNode* type,
                       const Place& place);
  void VisitDescription(const ast::Description& description,
                        const Place& place);
  void VisitAnnotation(const ast::ClassModification* annotation,
                       const Place& place);
  void VisitSection(const ast::Section& section, const Place& place);
  void VisitReference(const ast::ComponentReference& reference,
                      NameRole role,
                      const Place& place);
  NameTarget FindReference(const ast::ComponentReference& reference,
                           std::size_t count,
                           const Place& place);
  void VisitExpression(const ast::Expression* expression, const Place& place);
  void VisitNode(const ast::Expression& expression, const Place& place);
  void VisitExpressions(const ast::Expressions& list, const Place& place);
  void VisitCall(const ast::Call& call, const Place& place);
  void VisitArguments(const ast::List<ast::CallArgument>& arguments,
                      ClassNode* function,
                      const Place& place);
  void PushIterators(const ast::List<ast::ForIndex>& indices,
                     const Place& place);
  void PopIterators(std::size_t count);
  void VisitOperation(const ast::Operation& operation, const Place& place);
  void VisitIf(const ast::IfExpression& expression, const Place& place);
  void VisitEquation(const ast::Equation& equation, const Place& place);
  void VisitStatement(const ast::Statement& statement, const Place& place);
  template <typename Item>
  void VisitItems(const ast::List<Item>& items, const Place& place);
  template <typename Item>
  void VisitBranches(const ast::List<ast::Branch<Item>>& branches,
                     const Place& place);
  template <typename Item>
  void VisitFor(const ast::For<Item>& loop, const Place& place);

  void VisitItem(const ast::Equation& equation, const Place& place) {
    VisitEquation(equation, place);
  }

  void VisitItem(const ast::Statement& statement, const Place& place) {
    VisitStatement(statement, place);
  }

  const Document& document_;
  NameResolver& names_;
  const NameFilter& filter_;
  const Take& take_;
  std::vector<ast::Identifier> iterators_;  // Those of open loops.
};

}  // namespace orrery::modelica::internal
