#include "orrery/modelica/session/instances.h"

#include <optional>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/system/stop_scope.h"
#include "orrery/modelica/classes/class_checks.h"
#include "orrery/modelica/session/converted_modifiers.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {
namespace {

bool IsEmpty(const Modifier& modifier) {
  return modifier.value == nullptr && modifier.parts.empty() &&
         modifier.redeclaration == nullptr && !modifier.is_break;
}

}  // namespace

const Modifier* Modifier::Find(std::string_view name) const {
  for (const auto& [part_name, part] : parts) {
    if (part_name == name) {
      return part;
    }
  }
  return nullptr;
}

Component& AddedComponents::Add(Member* member) {
  Component& component = list_.emplace_back();
  component.member = member;
  named_.try_emplace(member->name, &component);
  return component;
}

Component* AddedComponents::Find(std::string_view name) const {
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : found->second;
}

Component* Instance::Find(std::string_view name) {
  const auto found = type->index.find(name);
  if (found != type->index.end()) {
    Component& named = components[found->second];
    return named.member == nullptr ? nullptr : &named;
  }
  return added.Find(name);
}

std::string Component::path() const {
  return owner->path.empty()
             ? std::string(member->name)
             : owner->path.str() + "." + std::string(member->name);
}

Component& Target(Component& component) {
  Component* target = &component;
  while (target->inner != nullptr) {
    target = target->inner;
  }
  return *target;
}

std::vector<std::int64_t> SubscriptsOf(const Shape& shape, std::int64_t flat) {
  std::vector<std::int64_t> subscripts(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    subscripts[i] = flat % shape[i] + 1;
    flat /= shape[i];
  }
  return subscripts;
}

std::optional<std::int64_t> CountElements(const Shape& shape,
                                          std::int64_t limit) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent == 0) {
      return 0;
    }
  }
  for (const std::int64_t extent : shape) {
    if (extent > limit / count) {
      return std::nullopt;
    }
    count *= extent;
  }
  return count;
}

// Modifiers -----------------------------------------------------------------

namespace {

// Applies the modifiers of a redeclaration's constraining type to the new
// declaration and to all later redeclarations of it (specification 3.6, section
// 7.3.2).
void KeepConstraint(Session& session,
                    const ast::Argument& argument,
                    const Context& context,
                    Modifier& redeclared) {
  if (argument.constraint == nullptr) {
    return;
  }
  Modifier& kept = session.modifiers.emplace_back();
  if (const Modifier* const said =
          BuildModifier(session, argument.constraint->modification, context)) {
    kept = *said;
    redeclared.parts = Merge(session, &redeclared, said)->parts;
  }
  redeclared.kept = &kept;
}

void AddArgument(Session& session,
                 Modifier& modifier,
                 const ast::Argument& argument,
                 const Context& context) {
  Modifier part;
  part.context = context;
  part.is_each = argument.is_each;
  part.is_final = argument.is_final;
  part.span = argument.span;
  ast::List<ast::Identifier> names;
  std::string_view name;
  if (const auto* element =
          std::get_if<ast::ElementModification>(&argument.node)) {
    names = element->name.parts;
    name = names.front().text;
    part.span = names.front().span;
    if (const ast::Modification* const said = element->modification) {
      const Modifier* const inner = BuildModifier(session, said, context);
      part.value = inner->value;
      part.is_break = inner->is_break;
      part.parts = inner->parts;
    }
  } else if (const auto* clause =
                 std::get_if<const ast::ComponentClause*>(&argument.node)) {
    const ast::ComponentDeclaration& declaration =
        (*clause)->components.front();
    name = declaration.name.text;
    part.span = declaration.name.span;
    part.redeclaration = &argument;
    part.redeclared_in = context;
    if (const Modifier* const inner =
            BuildModifier(session, declaration.modification, context)) {
      part.value = inner->value;
      part.parts = inner->parts;
    }
    KeepConstraint(session, argument, context, part);
  } else if (const auto* definition =
                 std::get_if<const ast::ClassDefinition*>(&argument.node)) {
    name = (*definition)->name.text;
    part.span = (*definition)->name.span;
    part.redeclaration = &argument;
    part.redeclared_in = context;
  } else {
    return;  // A break has left its element out already.
  }
  // a.b.c(...) is a(b(c(...))).
  for (std::size_t i = names.size(); i-- > 1;) {
    Modifier outer;
    outer.context = context;
    outer.span = part.span;
    outer.parts.emplace_back(names[i].text,
                             &session.modifiers.emplace_back(std::move(part)));
    part = std::move(outer);
  }
  for (auto& [known, value] : modifier.parts) {
    if (known == name) {
      if (names.size() <= 1 && value->value != nullptr &&
          part.value != nullptr) {
        session.diagnostics.Error(
            At(context.scope, part.span),
            "'" + std::string(name) + "' is modified twice");
      }
      value = Merge(
          session, &session.modifiers.emplace_back(std::move(part)), value);
      return;
    }
  }
  modifier.parts.emplace_back(name,
                              &session.modifiers.emplace_back(std::move(part)));
}

}  // namespace

const Modifier* BuildModifier(Session& session,
                              const ast::ClassModification* arguments,
                              const Context& context) {
  if (arguments == nullptr || arguments->arguments.empty()) {
    return nullptr;
  }
  Modifier& modifier = session.modifiers.emplace_back();
  modifier.context = context;
  modifier.span = arguments->span;
  for (const ast::Argument& argument : arguments->arguments) {
    AddArgument(session, modifier, argument, context);
  }
  return &modifier;
}

const Modifier* BuildModifier(Session& session,
                              const ast::Modification* modification,
                              const Context& context) {
  if (modification == nullptr) {
    return nullptr;
  }
  Modifier& modifier = session.modifiers.emplace_back();
  modifier.context = context;
  modifier.span = modification->span;
  modifier.value = modification->value;
  modifier.is_break = modification->is_break;
  if (modification->arguments != nullptr) {
    for (const ast::Argument& argument : modification->arguments->arguments) {
      AddArgument(session, modifier, argument, context);
    }
  }
  return &modifier;
}

namespace {

// Replaces a redeclaration by another one and drops its modifiers. Those of its
// constraining type remain (specification 3.6, section 7.3.2).
const Modifier* Replace(Session& session,
                        const Modifier& outer,
                        const Modifier& inner) {
  Modifier merged = *Merge(session, &outer, inner.kept);
  merged.kept = Merge(session, outer.kept, inner.kept);
  merged.replaced.push_back(&inner);
  merged.replaced.insert(
      merged.replaced.end(), inner.replaced.begin(), inner.replaced.end());
  return &session.modifiers.emplace_back(std::move(merged));
}

}  // namespace

const Modifier* Merge(Session& session,
                      const Modifier* outer,
                      const Modifier* inner) {
  if (outer == nullptr || IsEmpty(*outer)) {
    return inner;
  }
  if (inner == nullptr || IsEmpty(*inner)) {
    return outer;
  }
  if (inner->is_final && (outer->value != nullptr || outer->is_break)) {
    session.diagnostics.Error(At(outer->context.scope, outer->span),
                              "cannot modify a final element",
                              "");
    return inner;
  }
  if (outer->redeclaration != nullptr && inner->redeclaration != nullptr) {
    return Replace(session, *outer, *inner);
  }
  Modifier merged = *outer;
  if (merged.value == nullptr && !merged.is_break) {
    merged.value = inner->value;
    merged.context = inner->context;
    merged.is_each = inner->is_each;
    merged.at = inner->at;
    merged.sizes = inner->sizes;
    merged.span = inner->span;
  }
  merged.is_final = merged.is_final || inner->is_final;
  if (merged.redeclaration == nullptr) {
    merged.redeclaration = inner->redeclaration;
    merged.redeclared_in = inner->redeclared_in;
    merged.kept = inner->kept;
    merged.replaced = inner->replaced;
  }
  for (const auto& [name, part] : inner->parts) {
    bool is_known = false;
    for (auto& [own_name, own] : merged.parts) {
      if (own_name == name) {
        own = Merge(session, own, part);
        is_known = true;
      }
    }
    if (!is_known) {
      merged.parts.emplace_back(name, part);
    }
  }
  return &session.modifiers.emplace_back(std::move(merged));
}

const Modifier* Distribute(Session& session,
                           const Modifier* modifier,
                           const Shape& shape,
                           const std::vector<std::int64_t>& at) {
  if (modifier == nullptr || at.empty()) {
    return modifier;
  }
  Modifier copy = *modifier;
  if (!copy.is_each) {
    copy.at.insert(copy.at.end(), at.begin(), at.end());
    copy.sizes.insert(copy.sizes.end(), shape.begin(), shape.end());
    for (auto& [name, part] : copy.parts) {
      part = Distribute(session, part, shape, at);
    }
  }
  return &session.modifiers.emplace_back(std::move(copy));
}

void CheckNames(Session& session, ClassNode& node, const Modifier& modifier) {
  for (const auto& [name, part] : modifier.parts) {
    if (node.built_in != BuiltIn::kNone) {
      CheckAttribute(
          node, name, At(part->context.scope, part->span), session.diagnostics);
      continue;
    }
    const Member* const member = node.Find(name);
    if (member == nullptr && !node.is_broken) {
      session.diagnostics.Error(
          At(part->context.scope, part->span),
          "no element '" + std::string(name) + "' in class " + node.name,
          SuggestMember(name, node, session.diagnostics));
    } else if (member != nullptr && member->is_protected) {
      session.diagnostics.Error(At(part->context.scope, part->span),
                                "cannot modify '" + std::string(name) +
                                    "' here: it is protected in class " +
                                    node.name,
                                "make it public, or inherit from the class");
    } else if (member != nullptr && part->redeclaration == nullptr) {
      CheckModifiable(
          *member, At(part->context.scope, part->span), session.diagnostics);
    }
  }
}

const Modifier* ForEach(Session& session, const Modifier& modifier) {
  Modifier copy = modifier;
  for (auto& [name, part] : copy.parts) {
    Modifier& each = session.modifiers.emplace_back(*part);
    each.is_each = true;
    part = &each;
  }
  return &session.modifiers.emplace_back(std::move(copy));
}

namespace {

// What the instance `at` says of `type`, if that is one of its inherited
// elements; else null.
const Modifier* SaidOf(const ClassNode& type, const Instance& at) {
  const std::string_view name = type.definition->name.text;
  const Member* const member = at.type->Find(name);
  if (member == nullptr || member->nested != &type) {
    return nullptr;
  }
  const Modifier* const outer = at.parts[member->inherited_part];
  const Modifier* const said = outer == nullptr ? nullptr : outer->Find(name);
  return said == nullptr || said->redeclaration != nullptr ? nullptr : said;
}

// True if the class inherits `type`: its extends clause may modify it.
bool Inherits(ClassNode& node, const ClassNode& type) {
  const Member* const member = node.Find(type.definition->name.text);
  return member != nullptr && member->nested == &type &&
         member->inherited_part != 0;
}

// The modifier with the names in it resolved in the instances of the model in
// which it is written (specification 3.6, section 7.2.3), as of p in `package M
// = Medium(H(start = p))`. A class has no value of its own.
Modifier InModel(Session& session, const Modifier& said, Instance* around) {
  Modifier copy = said;
  for (Instance* at = around; at != nullptr; at = at->parent) {
    if (copy.context.scope != nullptr && at->type == copy.context.scope->node) {
      copy.context.instance = at;
      break;
    }
  }
  for (auto& [name, part] : copy.parts) {
    part = &session.modifiers.emplace_back(InModel(session, *part, around));
  }
  return copy;
}

}  // namespace

const Modifier* MergeClassModifiers(Session& session,
                                    const Modifier* modifier,
                                    const ClassNode& type,
                                    Instance* around) {
  if (type.definition == nullptr) {
    return modifier;
  }
  ClassNode* const home =
      type.enclosing == nullptr ? nullptr : type.enclosing->node;
  bool is_home_met = false;
  for (const Instance* at = around; at != nullptr; at = at->parent) {
    if (const Modifier* const said = SaidOf(type, *at)) {
      modifier = Merge(session, modifier, ForEach(session, *said));
    }
    is_home_met = is_home_met || at->type == home;
  }
  if (home == nullptr || is_home_met || home->makes_constants ||
      !Inherits(*home, type)) {
    return modifier;
  }
  // A class that is no part of the model, as a package.
  if (const Modifier* const said = SaidOf(type, *ConstantsOf(session, home))) {
    Modifier of_class = InModel(session, *said, around);
    of_class.value = nullptr;
    modifier = Merge(session, modifier, ForEach(session, of_class));
  }
  return modifier;
}

// Instances -----------------------------------------------------------------

Instance* NewInstance(Session& session,
                      ClassNode* type,
                      Instance* parent,
                      std::string path,
                      const Modifier* modifier) {
  ThrowIfStopped();
  Instance& instance = session.instances.emplace_back();
  instance.type = type;
  instance.parent = parent;
  instance.path = std::move(path);
  instance.depth = parent == nullptr ? 0 : parent->depth + 1;
  if (parent != nullptr) {
    instance.is_function = parent->is_function;
    instance.holds_constants = parent->holds_constants;
  }
  if (type->parts.empty()) {
    instance.parts.push_back(modifier);
  }
  for (const Part& part : type->parts) {
    session.tree.CheckImports(part.scope);
    const Modifier* said =
        part.base == nullptr ? modifier : instance.parts[part.derived];
    std::string_view old_name;
    if (!part.old_base.empty()) {
      old_name = part.old_base;
    } else if (part.base != nullptr) {
      old_name = part.base->name;
    }
    for (const WrittenModification& written : part.modifications) {
      const Context where = {&instance, written.scope};
      said =
          Merge(session,
                said,
                Converted(session,
                          BuildModifier(session, written.modification, where),
                          *type,
                          old_name,
                          where));
    }
    if (part.base != nullptr) {
      said = MergeClassModifiers(session, said, *part.base, parent);
    }
    instance.parts.push_back(said);
  }
  instance.components.resize(type->members.size());
  for (std::size_t i = 0; i < type->members.size(); ++i) {
    Component& part = instance.components[i];
    part.owner = &instance;
    if (type->members[i].clause != nullptr) {
      part.member = &type->members[i];
    }
  }
  return &instance;
}

std::shared_ptr<const Enumeration> EnumerationOf(Session& session,
                                                 const ClassNode& type) {
  auto& enumeration = session.enumerations[&type];
  if (enumeration == nullptr) {
    enumeration = std::make_shared<const Enumeration>(
        Enumeration{.names = {type.name, type.enumeration->name},
                    .literals = type.literals});
  }
  return enumeration;
}

Instance* ConstantsOf(Session& session, ClassNode* node) {
  if (node->constants == nullptr) {
    session.tree.Expand(node);
    node->makes_constants = true;
    node->constants = NewInstance(session, node, nullptr, node->name, nullptr);
    node->makes_constants = false;
    node->constants->holds_constants = true;
  }
  return node->constants;
}

}  // namespace orrery::modelica::internal
