#include "orrery/modelica/workspace/name_walk.h"

#include <algorithm>
#include <utility>

namespace orrery::modelica::internal {
namespace {

template <typename... Cases>
struct CasesOf : Cases... {
  using Cases::operator()...;
};

template <typename... Cases>
CasesOf(Cases...) -> CasesOf<Cases...>;

// A component of a class; none if the class is not known.
NameTarget ComponentIn(ClassNode* node, std::string_view name) {
  Member* const member = node == nullptr ? nullptr : node->Find(name);
  return member == nullptr ? NameTarget() : TargetOf(*node, *member);
}

}  // namespace

bool NameWalk::Skips(const ast::Span& span) const {
  return filter_.within &&
         (filter_.within->end < span.begin || span.end < filter_.within->begin);
}

void NameWalk::Take1(const ast::Identifier& name,
                     NameRole role,
                     const NameTarget& target,
                     const Place& place) {
  take_({.name = name, .role = role, .target = target, .around = place.node});
}

void NameWalk::Run(const NodeOf& node_of) {
  const ast::StoredDefinition& tree = document_.tree();
  const Place top = {.scope = names_.tree().global()};
  if (tree.within) {
    VisitPath(tree.within->parts, true, NameRole::kType, top);
  }
  for (const ast::StoredClass& stored : tree.classes) {
    ClassNode* const node = node_of(*stored.definition);
    const Place around =
        node == nullptr || node->enclosing == nullptr
            ? top
            : Place{.scope = node->enclosing, .node = node->enclosing->node};
    VisitClass(*stored.definition, node, around);
  }
}

// Names -----------------------------------------------------------------------

void NameWalk::VisitPath(const ast::List<ast::Identifier>& parts,
                         bool is_global,
                         NameRole role,
                         const Place& place) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (filter_.wants(parts[i])) {
      Take1(parts[i],
            i + 1 < parts.size() ? NameRole::kType : role,
            names_.Find(place.scope, {parts.begin(), i + 1}, is_global),
            place);
    }
  }
}

void NameWalk::VisitType(const ast::Name& name, const Place& place) {
  VisitPath(name.parts, name.is_global, NameRole::kType, place);
}

ClassNode* NameWalk::ClassNamed(const ast::Name& name, const Place& place) {
  const NameTarget target = names_.Find(
      place.scope, {name.parts.begin(), name.parts.size()}, name.is_global);
  return target.kind == NameTarget::Kind::kClass ? target.node : nullptr;
}

// Classes ---------------------------------------------------------------------

void NameWalk::VisitClass(const ast::ClassDefinition& text,
                          ClassNode* node,
                          const Place& around) {
  if (Skips(text.span)) {
    return;
  }
  if (node != nullptr) {
    names_.tree().Expand(node);
  }
  const Place inside = {.scope = node == nullptr ? nullptr : node->scope,
                        .node = node};
  const NameTarget self = node == nullptr ? NameTarget() : TargetOf(*node);
  if (filter_.wants(text.name)) {
    Take1(text.name, NameRole::kDeclaration, self, around);
  }
  const ast::Span end = document_.EndNameOf(text);
  const ast::Identifier end_name = {.text = document_.TextOf(end), .span = end};
  if (end.begin < end.end && filter_.wants(end_name)) {
    Take1(end_name, NameRole::kEnd, self, around);
  }
  std::visit(
      CasesOf{[&](const ast::LongClass& body) { VisitBody(body, inside); },
              [&](const ast::ShortClass& body) { VisitShort(body, around); },
              [&](const ast::Enumeration& body) {
                for (const ast::EnumerationLiteral& literal : body.literals) {
                  if (filter_.wants(literal.name)) {
                    Take1(literal.name,
                          NameRole::kDeclaration,
                          names_.FindIn(node, literal.name.text),
                          inside);
                  }
                }
              },
              [&](const ast::DerivativeClass& body) {
                VisitType(body.function, around);
              }},
      text.node);
  VisitDescription(text.description, inside);
}

void NameWalk::VisitBody(const ast::LongClass& body, const Place& place) {
  VisitModifiers(body.modification,
                 place.node == nullptr ? nullptr : place.node->extended,
                 place);
  for (const ast::Element& element : body.elements) {
    VisitElement(element, place);
  }
  for (const ast::Section& section : body.sections) {
    VisitSection(section, place);
  }
  if (body.external != nullptr) {
    VisitExternal(*body.external, place);
  }
}

void NameWalk::VisitShort(const ast::ShortClass& body, const Place& around) {
  VisitType(body.base, around);
  VisitExpressions(body.subscripts, around);
  if (body.modification != nullptr && !Skips(body.modification->span)) {
    VisitModifiers(body.modification, ClassNamed(body.base, around), around);
  }
}

void NameWalk::VisitElement(const ast::Element& element, const Place& place) {
  if (Skips(element.span)) {
    return;
  }
  std::visit(
      CasesOf{[&](const ast::Import* import) { VisitImport(*import, place); },
              [&](const ast::Extends* extends) {
                VisitType(extends->base, place);
                VisitModifiers(extends->modification,
                               ClassNamed(extends->base, place),
                               place);
                VisitAnnotation(extends->annotation, place);
              },
              [&](const ast::ClassDefinition* nested) {
                VisitNested(*nested, place);
              },
              [&](const ast::ComponentClause* clause) {
                VisitClause(*clause, place);
              }},
      element.node);
  VisitConstraint(element.constraint, place);
}

void NameWalk::VisitImport(const ast::Import& import, const Place& place) {
  const Place top = {.scope = names_.tree().global(), .node = place.node};
  VisitPath(import.name.parts, true, NameRole::kType, top);
  if (import.kind == ast::ImportKind::kRenamed && filter_.wants(import.alias)) {
    Take1(import.alias,
          NameRole::kType,
          names_.Find(top.scope,
                      {import.name.parts.begin(), import.name.parts.size()},
                      true),
          place);
  }
  for (const ast::Identifier& listed : import.names) {
    if (filter_.wants(listed)) {
      Take1(listed,
            NameRole::kType,
            names_.FindIn(ClassNamed(import.name, top), listed.text),
            place);
    }
  }
}

void NameWalk::VisitNested(const ast::ClassDefinition& text,
                           const Place& place) {
  ClassNode* nested = nullptr;
  if (place.node != nullptr) {
    const NameTarget target = names_.FindIn(place.node, text.name.text);
    if (target.kind == NameTarget::Kind::kClass &&
        target.node->definition == &text) {
      nested = target.node;
    }
  }
  VisitClass(text, nested, place);
}

void NameWalk::VisitClause(const ast::ComponentClause& clause,
                           const Place& place) {
  VisitType(clause.type, place);
  VisitExpressions(clause.subscripts, place);
  for (const ast::ComponentDeclaration& declared : clause.components) {
    if (Skips(declared.span)) {
      continue;
    }
    if (filter_.wants(declared.name)) {
      Take1(declared.name,
            NameRole::kDeclaration,
            ComponentIn(place.node, declared.name.text),
            place);
    }
    VisitExpressions(declared.subscripts, place);
    if (declared.modification != nullptr &&
        !Skips(declared.modification->span)) {
      VisitModification(
          declared.modification, ClassNamed(clause.type, place), place);
    }
    VisitExpression(declared.condition, place);
    VisitDescription(declared.description, place);
  }
}

void NameWalk::VisitConstraint(const ast::ConstrainingClause* constraint,
                               const Place& place) {
  if (constraint == nullptr || Skips(constraint->span)) {
    return;
  }
  VisitType(constraint->type, place);
  VisitModifiers(
      constraint->modification, ClassNamed(constraint->type, place), place);
  VisitDescription(constraint->description, place);
}

void NameWalk::VisitExternal(const ast::External& external,
                             const Place& place) {
  if (external.result) {
    VisitReference(*external.result, NameRole::kReference, place);
  }
  VisitExpressions(external.arguments, place);
  VisitAnnotation(external.annotation, place);
}

// Modifications ---------------------------------------------------------------

void NameWalk::VisitModification(const ast::Modification* modification,
                                 ClassNode* type,
                                 const Place& place) {
  if (modification == nullptr || Skips(modification->span)) {
    return;
  }
  VisitModifiers(modification->arguments, type, place);
  VisitExpression(modification->value, place);
}

void NameWalk::VisitModifiers(const ast::ClassModification* modifiers,
                              ClassNode* type,
                              const Place& place) {
  if (modifiers == nullptr || Skips(modifiers->span)) {
    return;
  }
  for (const ast::Argument& argument : modifiers->arguments) {
    if (Skips(argument.span)) {
      continue;
    }
    if (const auto* modifier =
            std::get_if<ast::ElementModification>(&argument.node)) {
      VisitModifier(*modifier, type, place);
    } else if (const auto* broken =
                   std::get_if<ast::BreakElement>(&argument.node)) {
      if (filter_.wants(broken->name)) {
        Take1(broken->name,
              NameRole::kModifier,
              names_.FindIn(type, broken->name.text),
              place);
      }
    } else {
      VisitRedeclared(argument, type, place);
    }
    VisitConstraint(argument.constraint, place);
  }
}

void NameWalk::VisitModifier(const ast::ElementModification& modifier,
                             ClassNode* type,
                             const Place& place) {
  ClassNode* in = type;
  for (const ast::Identifier& part : modifier.name.parts) {
    const NameTarget target = names_.FindIn(in, part.text);
    if (filter_.wants(part)) {
      Take1(part, NameRole::kModifier, target, place);
    }
    in = names_.ClassOf(target);
  }
  VisitModification(modifier.modification, in, place);
}

void NameWalk::VisitRedeclared(const ast::Argument& argument,
                               ClassNode* type,
                               const Place& place) {
  if (const auto* text =
          std::get_if<const ast::ClassDefinition*>(&argument.node)) {
    if (filter_.wants((*text)->name)) {
      Take1((*text)->name,
            NameRole::kModifier,
            names_.FindIn(type, (*text)->name.text),
            place);
    }
    if (const auto* body = std::get_if<ast::ShortClass>(&(*text)->node)) {
      VisitShort(*body, place);
    }
  } else if (const auto* clause =
                 std::get_if<const ast::ComponentClause*>(&argument.node)) {
    VisitType((*clause)->type, place);
    for (const ast::ComponentDeclaration& declared : (*clause)->components) {
      if (filter_.wants(declared.name)) {
        Take1(declared.name,
              NameRole::kModifier,
              names_.FindIn(type, declared.name.text),
              place);
      }
      VisitModification(
          declared.modification, ClassNamed((*clause)->type, place), place);
    }
  }
}

void NameWalk::VisitDescription(const ast::Description& description,
                                const Place& place) {
  VisitAnnotation(description.annotation, place);
}

// The names of an annotation are its own; its values may use the class's.
void NameWalk::VisitAnnotation(const ast::ClassModification* annotation,
                               const Place& place) {
  if (annotation == nullptr || Skips(annotation->span)) {
    return;
  }
  for (const ast::Argument& argument : annotation->arguments) {
    const auto* const said =
        std::get_if<ast::ElementModification>(&argument.node);
    if (said != nullptr && said->modification != nullptr) {
      VisitAnnotation(said->modification->arguments, place);
      VisitExpression(said->modification->value, place);
    }
  }
}

// Expressions -----------------------------------------------------------------

NameTarget NameWalk::FindReference(const ast::ComponentReference& reference,
                                   std::size_t count,
                                   const Place& place) {
  const ast::Identifier& first = reference.parts.front().name;
  if (!reference.is_global) {
    // NOLINTNEXTLINE(modernize-loop-convert): clang 14 has no reversed views.
    for (auto at = iterators_.rbegin(); at != iterators_.rend(); ++at) {
      if (at->text == first.text) {
        return count > 1 ? NameTarget()
                         : NameTarget{.kind = NameTarget::Kind::kIterator,
                                      .name = at->text,
                                      .declared = {.file = document_.file(),
                                                   .begin = at->span.begin,
                                                   .end = at->span.end}};
      }
    }
  }
  std::vector<ast::Identifier> parts;
  for (std::size_t i = 0; i < count; ++i) {
    parts.push_back(reference.parts[i].name);
  }
  return names_.Find(place.scope, parts, reference.is_global);
}

void NameWalk::VisitReference(const ast::ComponentReference& reference,
                              NameRole role,
                              const Place& place) {
  if (Skips(reference.span)) {
    return;
  }
  for (std::size_t i = 0; i < reference.parts.size(); ++i) {
    const ast::ReferencePart& part = reference.parts[i];
    if (filter_.wants(part.name)) {
      Take1(part.name,
            i + 1 < reference.parts.size() ? NameRole::kReference : role,
            FindReference(reference, i + 1, place),
            place);
    }
    VisitExpressions(part.subscripts, place);
  }
}

void NameWalk::VisitExpressions(const ast::Expressions& list,
                                const Place& place) {
  for (const ast::Expression* const expression : list) {
    VisitExpression(expression, place);
  }
}

void NameWalk::VisitExpression(const ast::Expression* expression,
                               const Place& place) {
  if (expression != nullptr) {
    VisitNode(*expression, place);
  }
}

void NameWalk::VisitNode(const ast::Expression& expression,
                         const Place& place) {
  std::visit(
      CasesOf{
          [&](const ast::ComponentReference& reference) {
            VisitReference(reference, NameRole::kReference, place);
          },
          [&](const ast::Call& call) { VisitCall(call, place); },
          [&](const ast::PartialApplication& partial) {
            VisitType(partial.function, place);
            VisitArguments(
                partial.arguments, ClassNamed(partial.function, place), place);
          },
          [&](const ast::ArrayConstructor& array) {
            PushIterators(array.iterators, place);
            VisitExpressions(array.elements, place);
            PopIterators(array.iterators.size());
          },
          [&](const ast::MatrixConstructor& matrix) {
            for (const ast::Expressions& row : matrix.rows) {
              VisitExpressions(row, place);
            }
          },
          [&](const ast::Tuple& tuple) {
            VisitExpressions(tuple.elements, place);
          },
          [&](const ast::Subscripted& part) {
            VisitExpression(part.base, place);
            VisitExpressions(part.subscripts, place);
          },
          [&](const ast::Member& part) { VisitExpression(part.base, place); },
          [&](const ast::Unary& unary) {
            VisitExpression(unary.operand, place);
          },
          [&](const ast::Operation& operation) {
            VisitOperation(operation, place);
          },
          [&](const ast::Range& range) {
            VisitExpression(range.start, place);
            VisitExpression(range.step, place);
            VisitExpression(range.stop, place);
          },
          [&](const ast::IfExpression& its) { VisitIf(its, place); },
          [](const auto& /*literal*/) {
          }},
      expression.node);
}

void NameWalk::VisitOperation(const ast::Operation& operation,
                              const Place& place) {
  VisitExpression(operation.first, place);
  for (const ast::OperationStep& step : operation.steps) {
    VisitExpression(step.operand, place);
  }
}

void NameWalk::VisitIf(const ast::IfExpression& expression,
                       const Place& place) {
  for (const ast::IfExpressionBranch& branch : expression.branches) {
    VisitExpression(branch.condition, place);
    VisitExpression(branch.value, place);
  }
  VisitExpression(expression.otherwise, place);
}

void NameWalk::VisitCall(const ast::Call& call, const Place& place) {
  VisitReference(call.function, NameRole::kCall, place);
  PushIterators(call.iterators, place);
  const bool is_named = std::ranges::any_of(
      call.arguments, [](const auto& its) { return !its.name.text.empty(); });
  ClassNode* const function =
      is_named ? names_.ClassOf(FindReference(
                     call.function, call.function.parts.size(), place))
               : nullptr;
  VisitArguments(call.arguments, function, place);
  PopIterators(call.iterators.size());
}

void NameWalk::VisitArguments(const ast::List<ast::CallArgument>& arguments,
                              ClassNode* function,
                              const Place& place) {
  for (const ast::CallArgument& argument : arguments) {
    if (!argument.name.text.empty() && filter_.wants(argument.name)) {
      Take1(argument.name,
            NameRole::kArgument,
            names_.FindIn(function, argument.name.text),
            place);
    }
    VisitExpression(argument.value, place);
  }
}

void NameWalk::PushIterators(const ast::List<ast::ForIndex>& indices,
                             const Place& place) {
  for (const ast::ForIndex& index : indices) {
    VisitExpression(index.range, place);
    iterators_.push_back(index.name);
    if (filter_.wants(index.name)) {
      Take1(index.name,
            NameRole::kDeclaration,
            {.kind = NameTarget::Kind::kIterator,
             .name = index.name.text,
             .declared = {.file = document_.file(),
                          .begin = index.name.span.begin,
                          .end = index.name.span.end}},
            place);
    }
  }
}

void NameWalk::PopIterators(std::size_t count) {
  iterators_.resize(iterators_.size() - count);
}

// Equations and statements ----------------------------------------------------

void NameWalk::VisitSection(const ast::Section& section, const Place& place) {
  if (const auto* equations =
          std::get_if<ast::EquationSection>(&section.node)) {
    VisitItems(equations->equations, place);
  } else if (const auto* algorithm =
                 std::get_if<ast::AlgorithmSection>(&section.node)) {
    VisitItems(algorithm->statements, place);
  }
}

template <typename Item>
void NameWalk::VisitItems(const ast::List<Item>& items, const Place& place) {
  for (const Item& item : items) {
    if (!Skips(WholeOf(item))) {
      VisitItem(item, place);
      VisitDescription(item.description, place);
    }
  }
}

template <typename Item>
void NameWalk::VisitBranches(const ast::List<ast::Branch<Item>>& branches,
                             const Place& place) {
  for (const ast::Branch<Item>& branch : branches) {
    VisitExpression(branch.condition, place);
    VisitItems(branch.body, place);
  }
}

template <typename Item>
void NameWalk::VisitFor(const ast::For<Item>& loop, const Place& place) {
  PushIterators(loop.indices, place);
  VisitItems(loop.body, place);
  PopIterators(loop.indices.size());
}

void NameWalk::VisitEquation(const ast::Equation& equation,
                             const Place& place) {
  std::visit(
      CasesOf{
          [&](const ast::SimpleEquation& its) {
            VisitExpression(its.left, place);
            VisitExpression(its.right, place);
          },
          [&](const ast::CallItem& its) { VisitExpression(its.call, place); },
          [&](const ast::If<ast::Equation>& its) {
            VisitBranches(its.branches, place);
          },
          [&](const ast::For<ast::Equation>& its) { VisitFor(its, place); },
          [&](const ast::When<ast::Equation>& its) {
            VisitBranches(its.branches, place);
          },
          [&](const ast::Connect& its) {
            VisitReference(its.from, NameRole::kReference, place);
            VisitReference(its.to, NameRole::kReference, place);
          }},
      equation.node);
}

void NameWalk::VisitStatement(const ast::Statement& statement,
                              const Place& place) {
  std::visit(
      CasesOf{
          [&](const ast::Assignment& its) {
            VisitReference(its.target, NameRole::kReference, place);
            VisitExpression(its.value, place);
          },
          [&](const ast::MultiAssignment& its) {
            VisitExpressions(its.targets, place);
            VisitExpression(its.call, place);
          },
          [&](const ast::CallItem& its) { VisitExpression(its.call, place); },
          [&](const ast::If<ast::Statement>& its) {
            VisitBranches(its.branches, place);
          },
          [&](const ast::For<ast::Statement>& its) { VisitFor(its, place); },
          [&](const ast::When<ast::Statement>& its) {
            VisitBranches(its.branches, place);
          },
          [&](const ast::While& its) {
            VisitExpression(its.condition, place);
            VisitItems(its.body, place);
          },
          [](const auto& /*break or return*/) {
          }},
      statement.node);
}

}  // namespace orrery::modelica::internal
