#include "orrery/modelica/internal/expansion.h"

#include <algorithm>
#include <utility>

#include "orrery/modelica/internal/printer.h"

namespace orrery::modelica::internal {
namespace {

const Redeclaration* FindRedeclaration(
    const std::vector<Redeclaration>& redeclarations, std::string_view name) {
  const auto found =
      std::ranges::find(redeclarations, name, &Redeclaration::name);
  return found == redeclarations.end() ? nullptr : &*found;
}

bool IsRedeclaration(const Member& member) {
  return member.element != nullptr && member.element->is_redeclare;
}

// Whether it is a class written in the class at hand.
bool IsClass(const Member& member) {
  return member.element != nullptr &&
         std::holds_alternative<const ast::ClassDefinition*>(
             member.element->node);
}

bool IsExtension(const ClassNode& node) {
  const auto* const body =
      node.definition == nullptr
          ? nullptr
          : std::get_if<ast::LongClass>(&node.definition->node);
  return body != nullptr && body->is_extension;
}

bool IsExtension(const Member& member) {
  return member.nested != nullptr && IsExtension(*member.nested);
}

// What a declaration says, but for its description, annotation and modifiers of
// elements or attributes: those in the extends clauses may make these equal.
std::string ContentsOf(const Member& member) {
  ast::Element element = *member.element;
  ast::ComponentClause clause;
  ast::ComponentDeclaration declaration;
  ast::Modification modification;
  if (member.clause != nullptr) {
    declaration = *member.declaration;
    if (declaration.modification != nullptr) {
      modification = *declaration.modification;
      modification.arguments = nullptr;
      declaration.modification =
          modification.value != nullptr ? &modification : nullptr;
    }
    clause = *member.clause;
    clause.components = {&declaration, 1};
    element.node = &clause;
  }
  Printer printer(false);
  printer.Print(element);
  return printer.text();
}

// What holds of a replaceable class whatever it is redeclared as (specification
// 3.6, section 7.3.2).
WrittenModification KeptOf(const ast::Element& element, Scope* scope) {
  if (element.constraint != nullptr) {
    return {.modification = element.constraint->modification, .scope = scope};
  }
  const auto& definition = *std::get<const ast::ClassDefinition*>(element.node);
  const auto* const alias = std::get_if<ast::ShortClass>(&definition.node);
  return alias == nullptr
             ? WrittenModification{}
             : WrittenModification{.modification = alias->modification,
                                   .scope = scope};
}

}  // namespace

void ClassTree::Expansion::Fail(const Scope* scope,
                                const ast::Span& span,
                                std::string message,
                                std::string hint) {
  node_->is_broken = true;
  tree_.diagnostics_.Error(
      At(scope, span), std::move(message), std::move(hint));
}

void ClassTree::Expansion::Run() {
  node_->state = ClassNode::State::kExpanding;
  node_->parts.push_back({.scope = node_->scope});
  for (ClassNode* const child : node_->children) {
    const std::string_view name = child->name;
    Insert({.name = name.substr(name.rfind('.') + 1),
            .nested = child,
            .scope = child->enclosing});
  }
  if (node_->definition != nullptr) {
    open_.push_back(node_->definition);
    Add(*node_, 0, node_->redeclarations);
  }
  node_->state = ClassNode::State::kDone;
  for (const Member& member : node_->members) {
    if (IsExtension(member) && member.nested->extended == nullptr) {
      Fail(member.scope,
           member.span,
           "nothing to extend: no class '" + std::string(member.name) +
               "' is inherited");
    } else if (IsRedeclaration(member) && member.replaced == nullptr) {
      Fail(member.scope,
           member.span,
           "cannot redeclare '" + std::string(member.name) +
               "': nothing of that name is inherited by " + node_->name);
    }
  }
  if (node_->replaces != nullptr && !node_->is_broken) {
    CheckConstraint(*node_->replaces, node_->replaces_in);
  }
}

// A redeclared class has what its constraining class has, or the one that it
// replaces if there is none.
void ClassTree::Expansion::CheckConstraint(const ast::Element& first,
                                           Scope* scope) {
  const auto& definition = *std::get<const ast::ClassDefinition*>(first.node);
  const auto* const alias = std::get_if<ast::ShortClass>(&definition.node);
  ClassNode* wanted = nullptr;
  if (first.constraint != nullptr) {
    wanted = tree_.FindClass(scope, first.constraint->type);
  } else if (alias != nullptr) {
    wanted = tree_.FindClass(scope, alias->base);
  } else {
    wanted = tree_.NewNode(&definition, scope, node_->name);
  }
  const std::string lacks =
      wanted == nullptr ? "" : tree_.Lacks(*node_, *wanted);
  if (!lacks.empty()) {
    Fail(node_->enclosing,
         node_->definition->name.span,
         "cannot redeclare '" + std::string(node_->definition->name.text) +
             "' so: " + lacks,
         "take a class that extends " + wanted->name +
             ", or widen what constrains it by 'constrainedby'");
  }
}

void ClassTree::Expansion::Add(const ClassNode& text,
                               std::uint32_t part,
                               const Redeclarations& redeclarations) {
  const auto& body = text.definition->node;
  if (const auto* of_elements = std::get_if<ast::LongClass>(&body)) {
    node_->parts[part].modifications.push_back(text.kept);
    if (text.extended != nullptr) {
      Inherit(text.extended,
              {.modification = of_elements->modification,
               .scope = node_->parts[part].scope},
              text.definition->name.span,
              part,
              redeclarations);
    }
    AddLong(*of_elements, part, redeclarations);
  } else if (const auto* alias = std::get_if<ast::ShortClass>(&body)) {
    AddShort(*alias, part, redeclarations, text.kept);
  } else if (const auto* enumeration = std::get_if<ast::Enumeration>(&body)) {
    AddEnumeration(*enumeration);
  } else {
    Fail(node_->parts[part].scope,
         text.definition->span,
         "a function defined as a partial derivative is not supported yet");
  }
}

void ClassTree::Expansion::AddEnumeration(const ast::Enumeration& body) {
  node_->built_in = BuiltIn::kEnumeration;
  node_->enumeration = node_;
  for (const ast::EnumerationLiteral& literal : body.literals) {
    if (std::ranges::find(node_->literals, literal.name.text) !=
        node_->literals.end()) {
      Fail(node_->scope,
           literal.name.span,
           "literal '" + std::string(literal.name.text) + "' is listed twice");
    }
    node_->literals.emplace_back(literal.name.text);
  }
}

void ClassTree::Expansion::AddLong(const ast::LongClass& body,
                                   std::uint32_t part,
                                   const Redeclarations& redeclarations) {
  AddClasses(body, part, redeclarations);
  for (const ast::Element& element : body.elements) {
    if (const auto* extends = std::get_if<const ast::Extends*>(&element.node)) {
      AddExtends(element, **extends, part, redeclarations);
    } else if (const auto* clause =
                   std::get_if<const ast::ComponentClause*>(&element.node)) {
      AddComponents(element, **clause, part);
    }
  }
  AddSections(body, part);
}

void ClassTree::Expansion::AddClasses(const ast::LongClass& body,
                                      std::uint32_t part,
                                      const Redeclarations& redeclarations) {
  Scope* const scope = node_->parts[part].scope;
  for (const ast::Element& element : body.elements) {
    const auto* const found =
        std::get_if<const ast::ClassDefinition*>(&element.node);
    if (found == nullptr) {
      continue;
    }
    const ast::ClassDefinition* definition = *found;
    Scope* enclosing = scope;
    WrittenModification kept;
    if (element.constraint != nullptr) {
      kept = KeptOf(element, scope);
    }
    const Redeclaration* const replacement =
        FindRedeclaration(redeclarations, definition->name.text);
    if (replacement != nullptr && replacement->inner != nullptr) {
      AddInner(element, *replacement, part);
      continue;
    }
    if (replacement != nullptr) {
      if (element.is_final ||
          (!element.is_replaceable && !element.is_redeclare)) {
        Fail(replacement->scope,
             replacement->definition->name.span,
             "cannot redeclare '" + std::string(definition->name.text) +
                 (element.is_final ? "': it is declared final in "
                                   : "': it is not replaceable in ") +
                 node_->name);
      }
      definition = replacement->definition;
      enclosing = replacement->scope;
      kept = KeptOf(element, scope);
    }
    ClassNode* const nested =
        tree_.NewNode(definition,
                      enclosing,
                      node_->name + "." + std::string(definition->name.text));
    nested->kept = kept;
    if (replacement != nullptr) {
      nested->replaces = &element;
      nested->replaces_in = scope;
    }
    Insert({.name = definition->name.text,
            .span = definition->name.span,
            .element = &element,
            .nested = nested,
            .scope = enclosing,
            .part = part,
            .is_protected = element.visibility == ast::Visibility::kProtected});
  }
}

// An outer class is the inner one.
void ClassTree::Expansion::AddInner(const ast::Element& element,
                                    const Redeclaration& outer,
                                    std::uint32_t part) {
  Insert({.name = outer.name,
          .span = outer.definition->name.span,
          .element = &element,
          .nested = outer.inner,
          .scope = outer.scope,
          .part = part,
          .is_protected = element.visibility == ast::Visibility::kProtected});
}

void ClassTree::Expansion::AddComponents(const ast::Element& element,
                                         const ast::ComponentClause& clause,
                                         std::uint32_t part) {
  for (const ast::ComponentDeclaration& declaration : clause.components) {
    Insert({.name = declaration.name.text,
            .span = declaration.name.span,
            .element = &element,
            .clause = &clause,
            .declaration = &declaration,
            .scope = node_->parts[part].scope,
            .part = part,
            .is_protected = element.visibility == ast::Visibility::kProtected});
  }
}

void ClassTree::Expansion::Insert(Member member) {
  member.inherited_part = member.part;
  const auto [found, is_new] =
      node_->index.try_emplace(member.name, node_->members.size());
  if (is_new) {
    node_->members.push_back(std::move(member));
    return;
  }
  Member& known = node_->members[found->second];
  if (known.element == member.element && known.element != nullptr) {
    return;  // Inherited along two ways.
  }
  const bool is_of_base = Inherits(known.part, member.part);
  if (IsRedeclaration(member) && known.part != member.part && !is_of_base) {
    Replace(known, std::move(member));
    return;
  }
  if ((IsRedeclaration(known) || IsExtension(known)) &&
      known.part != member.part) {
    AddReplaced(known, std::move(member));
    return;
  }
  CheckDuplicate(known, member);
}

// Whether a part of the class comes with an extends clause of another.
bool ClassTree::Expansion::Inherits(std::uint32_t derived,
                                    std::uint32_t base) const {
  while (base != derived && base != 0) {
    base = node_->parts[base].derived;
  }
  return base == derived;
}

// A class redeclared in the derived class was entered before the one that it
// replaces.
void ClassTree::Expansion::AddReplaced(Member& known, Member&& inherited) {
  ClassNode* last = known.nested;
  while (last != nullptr && IsExtension(*last) && last->extended != nullptr) {
    last = last->extended;
  }
  if (last != nullptr && IsExtension(*last)) {
    last->extended = inherited.nested;
  } else if (!IsExtension(known) && IsClass(known) && IsClass(inherited)) {
    Scope* const around = node_->parts[inherited.part].scope;
    known.nested->kept = KeptOf(*inherited.element, around);
    known.nested->replaces = inherited.element;
    known.nested->replaces_in = around;
  }
  known.inherited_part = inherited.part;
  node_->replaced.push_back(std::move(inherited));
  known.replaced = &node_->replaced.back();
}

void ClassTree::Expansion::Replace(Member& old, Member&& redeclared) {
  node_->replaced.push_back(old);
  const std::uint32_t part = old.part;
  old = std::move(redeclared);
  old.replaced = &node_->replaced.back();
  // The modifiers of the extends clause that brought it still apply.
  old.inherited_part = part;
}

void ClassTree::Expansion::CheckDuplicate(const Member& known,
                                          const Member& added) {
  if (known.part != added.part && known.element != nullptr &&
      added.element != nullptr && ContentsOf(known) == ContentsOf(added)) {
    return;  // Inherited more than once, as section 7.1 allows.
  }
  tree_.diagnostics_.Error(
      At(added.scope, added.span),
      "'" + std::string(added.name) + "' is declared twice in " + node_->name,
      known.part != added.part ? "it is also inherited" : "");
}

void ClassTree::Expansion::AddSections(const ast::LongClass& body,
                                       std::uint32_t part) {
  Scope* const scope = node_->parts[part].scope;
  for (const ast::Section& section : body.sections) {
    if (!std::holds_alternative<ast::ElementSection>(section.node)) {
      node_->sections.push_back({.section = &section, .scope = scope});
    }
  }
  if (body.external != nullptr) {
    node_->external = body.external;
    node_->external_scope = scope;
  }
}

}  // namespace orrery::modelica::internal
