#include "orrery/modelica/workspace/name_walk.h"

#include <variant>

#include "orrery/syntax/overload.h"

namespace orrery::modelica::internal {
namespace {

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
      Overload{[&](const ast::LongClass& body) { VisitBody(body, inside); },
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
      Overload{[&](const ast::Import* import) { VisitImport(*import, place); },
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

}  // namespace orrery::modelica::internal
