#include "orrery/modelica/classes/expansion.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "orrery/base/call_stack.h"
#include "orrery/modelica/classes/class_checks.h"
#include "orrery/modelica/classes/class_store.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/classes/depth.h"
#include "orrery/modelica/classes/stored_classes.h"

namespace orrery::modelica::internal {
namespace {

std::string_view LastPartOf(std::string_view name) {
  return name.substr(name.rfind('.') + 1);
}

const Redeclaration* FindRedeclaration(
    const std::vector<Redeclaration>& redeclarations, std::string_view name) {
  const auto found =
      std::ranges::find(redeclarations, name, &Redeclaration::name);
  return found == redeclarations.end() ? nullptr : &*found;
}

bool IsRedeclaration(const Member& member) {
  return member.element != nullptr && member.element->is_redeclare;
}

// True if it is a class written in the present class.
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

// Adds the modifications of a replaceable class that survive a redeclaration:
// those of its constraining type or, without one, those of the first
// declaration (specification 3.6, section 7.3.2).
void AddKept(const ast::Element& element,
             Scope* scope,
             std::vector<WrittenModification>& kept) {
  const auto& definition = *std::get<const ast::ClassDefinition*>(element.node);
  const auto* const alias = std::get_if<ast::ShortClass>(&definition.node);
  if (element.constraint != nullptr) {
    kept.push_back(
        {.modification = element.constraint->modification, .scope = scope});
  } else if (alias != nullptr && !element.is_redeclare) {
    kept.push_back({.modification = alias->modification, .scope = scope});
  }
}

}  // namespace

void Expansion::Fail(const Scope* scope,
                     const ast::Span& span,
                     std::string message,
                     std::string hint) {
  node_->is_broken = true;
  diagnostics_.Error(At(scope, span), std::move(message), std::move(hint));
}

void Expansion::Run() {
  node_->state = ClassNode::State::kExpanding;
  node_->parts.push_back({.scope = node_->scope});
  AddStored(*node_, 0, node_->redeclarations);
  if (node_->definition != nullptr && IsStackNearlyFull()) {
    Fail(node_->enclosing, node_->definition->name.span, kTooDeep, kMendDepth);
  } else if (node_->definition != nullptr) {
    open_.push_back(node_->definition);
    Add(*node_, 0, node_->redeclarations);
  }
  for (ClassNode* const lacked : texts_.StandInsLackedBy(*node_)) {
    Insert({.name = lacked->definition->name.text,
            .nested = lacked,
            .stored = lacked,
            .scope = lacked->enclosing});
  }
  node_->state = ClassNode::State::kDone;
  CheckDuplicates(tree_, *node_, twice_, diagnostics_);
  CheckSimple();
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

// Checks that an extension of a predefined type has no components and no
// equations (specification 3.6, section 4.5.2).
void Expansion::CheckSimple() {
  if (node_->built_in == BuiltIn::kNone) {
    return;
  }
  const auto found = std::ranges::find_if(
      node_->members, [](const Member& m) { return m.clause != nullptr; });
  if (found == node_->members.end() && node_->sections.empty()) {
    return;
  }
  const bool has_component = found != node_->members.end();
  Fail(has_component ? found->scope : node_->sections.front().scope,
       has_component ? found->span : node_->sections.front().section->span,
       node_->name + " extends " +
           (node_->built_in == BuiltIn::kEnumeration
                ? "an enumeration"
                : store_.predefined(node_->built_in)->name) +
           ", and so it has no " +
           (has_component ? "components" : "equations") +
           " of its own (specification 3.6, section 4.5.2)",
       "make the value a component, too");
}

// Checks that a redeclared class has all elements of its constraining class, or
// else of the class that it replaces.
void Expansion::CheckConstraint(const ast::Element& first, Scope* scope) {
  const auto& definition = *std::get<const ast::ClassDefinition*>(first.node);
  const auto* const alias = std::get_if<ast::ShortClass>(&definition.node);
  ClassNode* wanted = nullptr;
  if (first.constraint != nullptr) {
    wanted = tree_.FindClass(scope, first.constraint->type);
  } else if (alias != nullptr) {
    wanted = tree_.FindClass(scope, alias->base);
  } else {
    wanted = store_.NewNode(&definition, scope, node_->name);
  }
  const std::string lacks =
      wanted == nullptr ? "" : Lacks(tree_, *node_, *wanted);
  if (!lacks.empty()) {
    Fail(node_->enclosing,
         node_->definition->name.span,
         "cannot redeclare '" + std::string(node_->definition->name.text) +
             "' so: " + lacks,
         "take a class that extends " + wanted->name +
             ", or widen what constrains it by 'constrainedby'");
  }
}

void Expansion::Add(const ClassNode& text,
                    std::uint32_t part,
                    const Redeclarations& redeclarations) {
  const auto& body = text.definition->node;
  if (const auto* of_elements = std::get_if<ast::LongClass>(&body)) {
    std::ranges::copy(text.kept,
                      std::back_inserter(node_->parts[part].modifications));
    if (text.extended != nullptr) {
      Inherit({.node = text.extended},
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
    AddDerivative(std::get<ast::DerivativeClass>(body), part, redeclarations);
  }
}

// Adds classes stored in files of their own. Those of an inherited package get
// nodes in this one, to see its elements (specification 3.6, section 13.4).
void Expansion::AddStored(const ClassNode& package,
                          std::uint32_t part,
                          const Redeclarations& redeclarations) {
  Scope* const scope = node_->parts[part].scope;
  for (ClassNode* const child : package.children) {
    const std::string_view dotted = child->name;
    const std::string_view name = dotted.substr(dotted.rfind('.') + 1);
    if (const Redeclaration* const replacement =
            FindRedeclaration(redeclarations, name)) {
      FailNotReplaceable(*replacement, false);
    }
    ClassNode* const own =
        child->enclosing->node == node_
            ? child
            : texts_.Inherited(
                  *child, scope, node_->name + "." + std::string(name));
    Insert({.name = LastPartOf(own->name),
            .nested = own,
            .stored = child,
            .scope = own->enclosing,
            .part = part});
  }
}

void Expansion::FailNotReplaceable(const Redeclaration& said, bool is_final) {
  Fail(said.scope,
       said.definition->name.span,
       "cannot redeclare '" + std::string(said.name) +
           (is_final ? "': it is declared final in "
                     : "': it is not replaceable in ") +
           node_->name);
}

void Expansion::AddEnumeration(const ast::Enumeration& body) {
  node_->built_in = BuiltIn::kEnumeration;
  node_->enumeration = store_.FirstOf(open_.back(), node_);
  for (const ast::EnumerationLiteral& literal : body.literals) {
    node_->literals.emplace_back(literal.name.text);
  }
}

void Expansion::AddLong(const ast::LongClass& body,
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

void Expansion::AddClasses(const ast::LongClass& body,
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
    Modifications kept;
    for (const Redeclaration& said : redeclarations) {
      if (said.name == definition->name.text && said.constraint != nullptr) {
        kept.push_back({.modification = said.constraint->modification,
                        .scope = said.scope});
      }
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
        FailNotReplaceable(*replacement, element.is_final);
      }
      definition = replacement->definition;
      enclosing = replacement->scope;
    }
    if (replacement != nullptr || element.constraint != nullptr) {
      AddKept(element, scope, kept);
    }
    ClassNode* const nested =
        store_.NewNode(definition,
                       enclosing,
                       node_->name + "." + std::string(definition->name.text));
    nested->kept = std::move(kept);
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

// Adds the inner class in place of the outer one.
void Expansion::AddInner(const ast::Element& element,
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

void Expansion::AddComponents(const ast::Element& element,
                              const ast::ComponentClause& clause,
                              std::uint32_t part) {
  for (const ast::ComponentDeclaration& declaration : clause.components) {
    if (IsDeselected(declaration.name.text)) {
      continue;
    }
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

// Each extends clause around has its say, and so each of its breaks is used.
bool Expansion::IsDeselected(std::string_view component) {
  bool is_deselected = false;
  for (Deselection& deselection : deselections_) {
    is_deselected = deselection.LeavesOut(component) || is_deselected;
  }
  return is_deselected;
}

void Expansion::Insert(Member member) {
  member.inherited_part = member.part;
  const auto [found, is_new] =
      node_->index.try_emplace(member.name, node_->members.size());
  if (is_new) {
    node_->members.push_back(std::move(member));
    return;
  }
  Member& known = node_->members[found->second];
  if (known.element == member.element && known.stored == member.stored) {
    return;  // It is inherited along two paths.
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
  twice_.emplace_back(found->second, std::move(member));
}

// True if part `base` is inherited by part `derived`, directly or indirectly.
bool Expansion::Inherits(std::uint32_t derived, std::uint32_t base) const {
  while (base != derived && base != 0) {
    base = node_->parts[base].derived;
  }
  return base == derived;
}

// Enters a class as replaced by its redeclaration in the derived class, which
// came first.
void Expansion::AddReplaced(Member& known, Member&& inherited) {
  ClassNode* last = known.nested;
  while (last != nullptr && IsExtension(*last) && last->extended != nullptr) {
    last = last->extended;
  }
  if (last != nullptr && IsExtension(*last)) {
    last->extended = inherited.nested;
  } else if (!IsExtension(known) && IsClass(known) && IsClass(inherited)) {
    Scope* const around = node_->parts[inherited.part].scope;
    AddKept(*inherited.element, around, known.nested->kept);
    known.nested->replaces = inherited.element;
    known.nested->replaces_in = around;
  }
  known.inherited_part = inherited.part;
  node_->replaced.push_back(std::move(inherited));
  known.replaced = &node_->replaced.back();
}

void Expansion::Replace(Member& old, Member&& redeclared) {
  node_->replaced.push_back(old);
  const std::uint32_t part = old.part;
  old = std::move(redeclared);
  old.replaced = &node_->replaced.back();
  // The modifiers of the extends clause of the old declaration still apply.
  old.inherited_part = part;
}

void Expansion::AddSections(const ast::LongClass& body, std::uint32_t part) {
  Scope* const scope = node_->parts[part].scope;
  for (const ast::Section& section : body.sections) {
    if (std::holds_alternative<ast::ElementSection>(section.node)) {
      continue;
    }
    const ast::Section* kept = &section;
    for (Deselection& deselection : deselections_) {
      if (node_->selected == nullptr) {
        node_->selected = std::make_shared<SelectedSections>();
      }
      kept = &deselection.Without(*kept, *node_->selected);
    }
    node_->sections.push_back({.section = kept, .scope = scope});
  }
  if (body.external != nullptr) {
    node_->external = body.external;
    node_->external_scope = scope;
  }
}

}  // namespace orrery::modelica::internal
