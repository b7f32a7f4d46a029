#include "orrery/modelica/internal/expansion.h"

#include <algorithm>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/unparse.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kMaxInheritance = 200;
constexpr const char* kMendCircle = "break the circle of extends clauses";

std::vector<Redeclaration> ClassRedeclarations(
    const ast::ClassModification* modification, Scope* scope) {
  std::vector<Redeclaration> result;
  if (modification == nullptr) {
    return result;
  }
  for (const ast::Argument& argument : modification->arguments) {
    if (const auto* definition =
            std::get_if<const ast::ClassDefinition*>(&argument.node)) {
      result.push_back({.name = (*definition)->name.text,
                        .definition = *definition,
                        .scope = scope});
    }
  }
  return result;
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

// Whether it is a class written in the class at hand.
bool IsClass(const Member& member) {
  return member.element != nullptr &&
         std::holds_alternative<const ast::ClassDefinition*>(
             member.element->node);
}

bool IsExtension(const Member& member) {
  if (member.nested == nullptr || member.nested->definition == nullptr) {
    return false;
  }
  const auto* const body =
      std::get_if<ast::LongClass>(&member.nested->definition->node);
  return body != nullptr && body->is_extension;
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
      Scope* const scope = node_->parts[part].scope;
      Redeclarations inner =
          ClassRedeclarations(of_elements->modification, scope);
      inner.insert(inner.begin(), redeclarations.begin(), redeclarations.end());
      Inherit(text.extended,
              {.modification = of_elements->modification, .scope = scope},
              text.definition->name.span,
              part,
              inner);
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
      if (!element.is_replaceable && !element.is_redeclare) {
        Fail(replacement->scope,
             replacement->definition->name.span,
             "cannot redeclare '" + std::string(definition->name.text) +
                 "': it is not replaceable in " + node_->name);
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

void ClassTree::Expansion::AddShort(const ast::ShortClass& body,
                                    std::uint32_t part,
                                    const Redeclarations& redeclarations,
                                    const WrittenModification& kept) {
  // Names of a short class are looked up outside of it.
  Scope* const scope = node_->parts[part].scope->enclosing;
  ClassNode* const base = tree_.FindClass(scope, body.base);
  if (base == nullptr) {
    node_->is_broken = true;
    return;
  }
  if (body.causality != ast::Causality::kNone) {
    node_->causality = body.causality;
  }
  if (!body.subscripts.empty()) {
    node_->sizes.push_back({.subscripts = &body.subscripts, .scope = scope});
  }
  Redeclarations inner = redeclarations;
  for (const WrittenModification& own :
       {WrittenModification{.modification = body.modification, .scope = scope},
        kept}) {
    const Redeclarations its = ClassRedeclarations(own.modification, own.scope);
    inner.insert(inner.end(), its.begin(), its.end());
  }
  Inherit(base,
          {.modification = body.modification, .scope = scope},
          body.base.span,
          part,
          inner,
          kept);
}

void ClassTree::Expansion::AddExtends(const ast::Element& element,
                                      const ast::Extends& extends,
                                      std::uint32_t part,
                                      const Redeclarations& redeclarations) {
  Scope* const scope = node_->parts[part].scope;
  ClassNode* const base = tree_.FindClass(scope, extends.base);
  if (base == nullptr) {
    node_->is_broken = true;
    return;
  }
  Redeclarations inner = redeclarations;
  for (const Redeclaration& own :
       ClassRedeclarations(extends.modification, scope)) {
    inner.push_back(own);
  }
  const std::size_t first = node_->members.size();
  Inherit(base,
          {.modification = extends.modification, .scope = scope},
          extends.base.span,
          part,
          inner);
  if (element.visibility == ast::Visibility::kProtected) {
    for (std::size_t i = first; i < node_->members.size(); ++i) {
      node_->members[i].is_protected = true;
    }
  }
}

void ClassTree::Expansion::Inherit(ClassNode* base,
                                   const WrittenModification& modification,
                                   const ast::Span& where,
                                   std::uint32_t part,
                                   const Redeclarations& redeclarations,
                                   const WrittenModification& kept) {
  const auto opened = base->definition == nullptr
                          ? open_.end()
                          : std::ranges::find(open_, base->definition);
  if (opened != open_.end()) {
    base->is_broken = true;
    Fail(modification.scope, where, DescribeCircle(opened), kMendCircle);
  } else if (base->state == ClassNode::State::kExpanding) {
    if (!base->is_broken) {
      base->is_broken = true;
      Fail(modification.scope,
           where,
           "class " + base->name + " inherits from itself by way of " +
               node_->name,
           kMendCircle);
    }
  } else if (open_.size() > kMaxInheritance) {
    Fail(modification.scope,
         where,
         "class " + node_->name + " inherits through more than " +
             std::to_string(kMaxInheritance) + " classes",
         "merge some of them");
  }
  if (opened != open_.end() || base->state == ClassNode::State::kExpanding ||
      open_.size() > kMaxInheritance) {
    node_->is_broken = true;
    return;
  }
  if (base->definition == nullptr || base->built_in != BuiltIn::kNone ||
      !std::holds_alternative<ast::LongClass>(base->definition->node)) {
    // What a predefined type is made of shows only in the complete class.
    if (!tree_.Expand(base)) {
      node_->is_broken = true;
      return;
    }
  }
  if (base->built_in != BuiltIn::kNone) {
    node_->built_in = base->built_in;
    node_->enumeration = base->enumeration;
    node_->literals = base->literals;
    for (const WrittenModification& written : {modification, kept}) {
      if (written.modification != nullptr) {
        node_->modifications.push_back(written);
      }
    }
    node_->modifications.insert(node_->modifications.end(),
                                base->modifications.begin(),
                                base->modifications.end());
    node_->sizes.insert(
        node_->sizes.end(), base->sizes.begin(), base->sizes.end());
    if (node_->causality == ast::Causality::kNone) {
      node_->causality = base->causality;
    }
    return;
  }
  if (base->definition == nullptr) {
    return;
  }
  Redeclarations inner = redeclarations;
  inner.insert(
      inner.end(), base->redeclarations.begin(), base->redeclarations.end());
  const auto number = static_cast<std::uint32_t>(node_->parts.size());
  node_->parts.push_back({.scope = tree_.NewScope({.node = node_,
                                                   .text = base->definition,
                                                   .enclosing = base->enclosing,
                                                   .file = base->scope->file}),
                          .modifications = {modification, kept},
                          .derived = part,
                          .base = base});
  open_.push_back(base->definition);
  Add(*base, number, inner);
  open_.pop_back();
  CheckNames(modification, *base);
  CheckNames(kept, *base);
}

std::string ClassTree::Expansion::DescribeCircle(OpenClass first) const {
  const auto name = [](const ast::ClassDefinition* definition) {
    return std::string(definition->name.text);
  };
  std::string text = "class " + name(*first) + " inherits from itself";
  for (auto at = first; at + 1 != open_.end(); ++at) {
    text +=
        (at == first ? ": " : ", ") + name(*at) + " extends " + name(*(at + 1));
  }
  if (first + 1 != open_.end()) {
    text += ", " + name(open_.back()) + " extends " + name(*first);
  }
  return text;
}

void ClassTree::Expansion::CheckNames(const WrittenModification& written,
                                      const ClassNode& base) {
  if (written.modification == nullptr || node_->is_broken) {
    return;
  }
  for (const ast::Argument& argument : written.modification->arguments) {
    const auto* const element =
        std::get_if<ast::ElementModification>(&argument.node);
    if (element == nullptr) {
      continue;
    }
    const ast::Identifier& name = element->name.parts.front();
    if (node_->Find(name.text) == nullptr) {
      tree_.diagnostics_.Error(
          At(written.scope, name.span),
          "no element '" + std::string(name.text) + "' in class " + base.name,
          SuggestMember(name.text, *node_));
    }
  }
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
  if (IsRedeclaration(member) && known.part != member.part) {
    Replace(known, std::move(member));
    return;
  }
  if ((IsRedeclaration(known) || IsExtension(known)) &&
      known.part != member.part) {
    // A class redeclared in the derived class was entered before.
    if (IsExtension(known) && known.nested->extended == nullptr) {
      known.nested->extended = member.nested;
    } else if (IsClass(known) && IsClass(member)) {
      Scope* const around = node_->parts[member.part].scope;
      known.nested->kept = KeptOf(*member.element, around);
      known.nested->replaces = member.element;
      known.nested->replaces_in = around;
    }
    known.inherited_part = member.part;
    node_->replaced.push_back(std::move(member));
    known.replaced = &node_->replaced.back();
    return;
  }
  CheckDuplicate(known, member);
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
      added.element != nullptr &&
      Unparse(*known.element) == Unparse(*added.element)) {
    return;  // Equal declarations may be inherited more than once.
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
  }
}

}  // namespace orrery::modelica::internal
