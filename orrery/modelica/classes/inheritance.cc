#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/classes/class_checks.h"
#include "orrery/modelica/classes/class_store.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/classes/expansion.h"
#include "orrery/modelica/classes/stored_classes.h"
#include "orrery/modelica/classes/version_conversions.h"

/// Inheritance of a class: by extends clauses, as a short class, or as a
/// redeclared class that extends the one it replaces.
namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kMaxInheritance = 200;
/// For one class. A base that is inherited twice counts twice.
constexpr std::size_t kMaxBases = 20'000;
/// For a predefined type, counted over the chain of types.
constexpr std::size_t kMaxModifications = 1000;
constexpr const char* kMendCircle = "break the circle of extends clauses";

// Adds the classes that a modification redeclares.
void AddRedeclarations(const WrittenModification& written,
                       std::vector<Redeclaration>& redeclarations) {
  if (written.modification == nullptr) {
    return;
  }
  for (const ast::Argument& argument : written.modification->arguments) {
    if (const auto* definition =
            std::get_if<const ast::ClassDefinition*>(&argument.node)) {
      redeclarations.push_back({.name = (*definition)->name.text,
                                .definition = *definition,
                                .scope = written.scope,
                                .constraint = argument.constraint});
    }
  }
}

}  // namespace

void Expansion::AddShort(const ast::ShortClass& body,
                         std::uint32_t part,
                         const Redeclarations& redeclarations,
                         const Modifications& kept) {
  // Names of a short class are looked up outside of it.
  Scope* const scope = node_->parts[part].scope->enclosing;
  const FoundName base = tree_.ResolveClass(scope, body.base);
  if (base.node == nullptr) {
    node_->is_broken = true;
    return;
  }
  if (body.causality != ast::Causality::kNone) {
    node_->causality = body.causality;
  }
  if (!body.subscripts.empty()) {
    node_->sizes.push_back({.subscripts = &body.subscripts, .scope = scope});
  }
  Inherit(base,
          {.modification = body.modification, .scope = scope},
          body.base.span,
          part,
          redeclarations,
          kept);
}

// A partial derivative has the inputs, the outputs and the algorithm of its
// function; calls are differentiated (specification 3.6, section 12.7.2).
void Expansion::AddDerivative(const ast::DerivativeClass& body,
                              std::uint32_t part,
                              const Redeclarations& redeclarations) {
  Scope* const scope = node_->parts[part].scope->enclosing;
  const FoundName base = tree_.ResolveClass(scope, body.function);
  if (base.node == nullptr) {
    node_->is_broken = true;
    return;
  }
  Inherit(base,
          {.modification = nullptr, .scope = scope},
          body.function.span,
          part,
          redeclarations);
  for (const ast::Identifier& input : body.variables) {
    const Member* const member = node_->Find(input.text);
    if (member == nullptr || member->clause == nullptr ||
        member->clause->prefix.causality != ast::Causality::kInput) {
      Fail(scope,
           input.span,
           "'" + std::string(input.text) + "' is no input of " +
               base.node->name +
               ": a partial derivative is taken by inputs that are Real",
           SuggestMember(input.text, *node_, diagnostics_));
      continue;
    }
    node_->differentiated_by.push_back(input);
  }
}

void Expansion::AddExtends(const ast::Element& element,
                           const ast::Extends& extends,
                           std::uint32_t part,
                           const Redeclarations& redeclarations) {
  Scope* const scope = node_->parts[part].scope;
  const FoundName base = tree_.ResolveClass(scope, extends.base);
  if (base.node == nullptr) {
    node_->is_broken = true;
    return;
  }
  const std::size_t first = node_->members.size();
  Deselection deselection(extends.modification);
  const bool selects = !deselection.empty();
  if (selects) {
    deselections_.push_back(std::move(deselection));
  }
  Inherit(base,
          {.modification = extends.modification, .scope = scope},
          extends.base.span,
          part,
          redeclarations);
  if (selects) {
    for (const Deselection::Useless& useless :
         deselections_.back().FindUseless()) {
      Fail(scope,
           useless.span,
           "nothing to leave out: " + base.node->name + " has no " +
               useless.what);
    }
    deselections_.pop_back();
  }
  if (element.visibility == ast::Visibility::kProtected) {
    for (std::size_t i = first; i < node_->members.size(); ++i) {
      node_->members[i].is_protected = true;
    }
  }
}

void Expansion::Inherit(const FoundName& found,
                        const WrittenModification& modification,
                        const ast::Span& where,
                        std::uint32_t part,
                        const Redeclarations& redeclarations,
                        const Modifications& kept) {
  ClassNode* const base = found.node;
  if (!CanInherit(*base, modification.scope, where)) {
    return;
  }
  if (base->state == ClassNode::State::kNew) {
    texts_.TakeStandIn(*base);
  }
  if (base->definition == nullptr || base->built_in != BuiltIn::kNone ||
      base->kind() == ast::ClassKind::kType ||
      !std::holds_alternative<ast::LongClass>(base->definition->node)) {
    // The predefined type of a base is known only after its expansion.
    if (!tree_.Expand(base)) {
      node_->is_broken = true;
      return;
    }
  }
  if (base->built_in != BuiltIn::kNone) {
    InheritPredefined(*base, modification, kept);
    InheritClasses(*base, part);
    CheckNames(modification, *base);
    for (const WrittenModification& written : kept) {
      CheckNames(written, *base);
    }
    return;
  }
  if (base->definition == nullptr) {
    return;
  }
  Redeclarations inner = redeclarations;
  AddRedeclarations(modification, inner);
  for (const WrittenModification& written : kept) {
    AddRedeclarations(written, inner);
  }
  inner.insert(
      inner.end(), base->redeclarations.begin(), base->redeclarations.end());
  const auto number = static_cast<std::uint32_t>(node_->parts.size());
  node_->parts.push_back(
      {.scope = store_.NewScope({.node = node_,
                                 .text = base->definition,
                                 .enclosing = base->enclosing,
                                 .file = base->scope->file}),
       .modifications = {modification},
       .derived = part,
       .base = base,
       .old_base = found.old_name});
  Modifications& all = node_->parts.back().modifications;
  all.insert(all.end(), kept.begin(), kept.end());
  open_.push_back(base->definition);
  AddStored(*base, number, inner);
  Add(*base, number, inner);
  open_.pop_back();
  CheckNames(modification, *base);
  for (const WrittenModification& written : kept) {
    CheckNames(written, *base);
  }
}

// Reports the reason if not.
bool Expansion::CanInherit(ClassNode& base,
                           const Scope* scope,
                           const ast::Span& where) {
  const auto opened = base.definition == nullptr
                          ? open_.end()
                          : std::ranges::find(open_, base.definition);
  if (opened != open_.end()) {
    base.is_broken = true;
    Fail(scope, where, DescribeCircle(opened), kMendCircle);
    return false;
  }
  if (base.state == ClassNode::State::kExpanding) {
    if (!std::exchange(base.is_broken, true)) {
      Fail(scope,
           where,
           "class " + base.name + " inherits from itself by way of " +
               node_->name,
           kMendCircle);
    }
    node_->is_broken = true;
    return false;
  }
  if (open_.size() > kMaxInheritance) {
    Fail(scope,
         where,
         "class " + node_->name + " inherits through more than " +
             std::to_string(kMaxInheritance) + " classes",
         "merge some of them");
    return false;
  }
  if (node_->parts.size() > kMaxBases) {
    if (!node_->is_broken) {
      Fail(scope,
           where,
           "class " + node_->name + " inherits from more than " +
               std::to_string(kMaxBases) + " classes in all",
           "inherit from each of them once");
    }
    return false;
  }
  return true;
}

void Expansion::InheritPredefined(const ClassNode& base,
                                  const WrittenModification& modification,
                                  const Modifications& kept) {
  node_->built_in = base.built_in;
  node_->enumeration = base.enumeration == store_.external_object()
                           ? store_.FirstOf(open_.back(), node_)
                           : base.enumeration;
  node_->literals = base.literals;
  Modifications all = kept;
  all.insert(all.begin(), modification);
  std::ranges::copy_if(all,
                       std::back_inserter(node_->modifications),
                       [](const WrittenModification& written) {
                         return written.modification != nullptr;
                       });
  node_->modifications.insert(node_->modifications.end(),
                              base.modifications.begin(),
                              base.modifications.end());
  node_->sizes.insert(node_->sizes.end(), base.sizes.begin(), base.sizes.end());
  if (node_->causality == ast::Causality::kNone) {
    node_->causality = base.causality;
  }
  const std::size_t said = node_->modifications.size() + node_->sizes.size();
  if (said > kMaxModifications && !base.is_broken) {
    Fail(node_->enclosing,
         node_->definition->name.span,
         "type " + node_->name + " is made from types with more than " +
             std::to_string(kMaxModifications) + " modifications and sizes",
         "merge some of them");
  }
}

// The only elements that a predefined type has are classes, as the function
// 'equalityConstraint'.
void Expansion::InheritClasses(const ClassNode& base, std::uint32_t part) {
  for (const Member& member : base.members) {
    if (member.nested != nullptr) {
      Insert({.name = member.name,
              .span = member.span,
              .element = member.element,
              .nested = member.nested,
              .scope = member.scope,
              .part = part,
              .is_protected = member.is_protected});
    }
  }
}

std::string Expansion::DescribeCircle(OpenClass first) const {
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

// True if that is an element that a rule converts in the text of a modification
// of `base`.
bool Expansion::IsOldName(const Scope* scope,
                          const ClassNode& base,
                          std::string_view name) {
  std::vector<RuleOfClass> rules = tree_.conversions().RulesFor(scope, *node_);
  for (RuleOfClass& rule : tree_.conversions().RulesFor(scope, base)) {
    rules.push_back(std::move(rule));
  }
  return std::ranges::any_of(
      rules, [&](const RuleOfClass& of) { return of.rule->Names(name); });
}

void Expansion::CheckNames(const WrittenModification& written,
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
    if (base.built_in != BuiltIn::kNone) {
      CheckAttribute(
          base, name.text, At(written.scope, name.span), diagnostics_);
      continue;
    }
    const Member* const member = node_->Find(name.text);
    if (member == nullptr && IsOldName(written.scope, base, name.text)) {
      continue;
    }
    if (member == nullptr) {
      diagnostics_.Error(
          At(written.scope, name.span),
          "no element '" + std::string(name.text) + "' in class " + base.name,
          SuggestMember(name.text, *node_, diagnostics_));
    } else {
      CheckModifiable(*member, At(written.scope, name.span), diagnostics_);
    }
  }
}

}  // namespace orrery::modelica::internal
