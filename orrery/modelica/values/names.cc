#include "orrery/modelica/values/names.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/classes/class_checks.h"
#include "orrery/modelica/classes/version_conversions.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {
namespace {

// A similar name that means something here.
std::string SuggestVariable(const LoweringContext& context,
                            const std::string& wanted) {
  if (!NeedsHints(context.session.diagnostics)) {
    return {};
  }
  std::vector<std::string> names =
      context.session.tree.VisibleNames(context.where.scope);
  for (const LoweringContext::Local& local : context.locals) {
    names.emplace_back(local.name);
  }
  names.emplace_back("time");
  std::string hint = Suggest(wanted, names);
  return hint.starts_with("known:") ? std::string() : hint;
}

[[noreturn]] void FailUnknownName(LoweringContext& context,
                                  const ast::ComponentReference& reference,
                                  const ClassTree::Found& found) {
  if (found.is_broken) {
    throw Abandoned{};
  }
  if (found.parts > 0 && found.parts < reference.parts.size()) {
    const ast::Identifier& missing = reference.parts[found.parts].name;
    const std::string wanted(missing.text);
    if (found.node->built_in == BuiltIn::kEnumeration) {
      context.Fail(
          missing.span,
          "no literal '" + wanted + "' in enumeration " + found.node->name,
          NeedsHints(context.session.diagnostics)
              ? Suggest(wanted, found.node->literals)
              : std::string());
    }
    context.Fail(missing.span,
                 "no element '" + wanted + "' in class " + found.node->name,
                 context.session.tree.SuggestIn(*found.node, wanted));
  }
  const ast::Identifier& missing = reference.parts.front().name;
  const std::string wanted(missing.text);
  const std::string& where = context.where.scope->node->name;
  context.Fail(missing.span,
               "no variable '" + wanted + "' in " +
                   (where.empty() ? "this text" : where),
               SuggestVariable(context, wanted));
}

}  // namespace

Component* ComponentOf(LoweringContext& context,
                       const ClassTree::Found& found,
                       std::size_t parts) {
  if (parts == 1) {
    for (Instance* at = context.where.instance; at != nullptr;
         at = at->parent) {
      if (at->type == found.node) {
        return at->Find(found.member->name);
      }
    }
  }
  Instance* const package = ConstantsOf(context.session, found.node);
  return package->Find(found.member->name);
}

ClassNode* FindType(LoweringContext& context,
                    const ast::ComponentReference& reference) {
  const std::vector<ast::Identifier> names = NamesOf(reference);
  const ClassTree::Found found = context.session.tree.Find(
      context.where.scope, {names.data(), names.size()}, reference.is_global);
  return found.member == nullptr && found.parts == names.size() &&
                 context.session.tree.Expand(found.node)
             ? found.node
             : nullptr;
}

Component* FindComponent(LoweringContext& context,
                         const ast::ComponentReference& reference,
                         std::size_t& used) {
  const std::vector<ast::Identifier> names = NamesOf(reference);
  const ClassTree::Found found = context.session.tree.Find(
      context.where.scope, {names.data(), names.size()}, reference.is_global);
  if (found.member == nullptr) {
    if (found.parts == names.size()) {
      context.Fail(reference.span,
                   "'" + ast::ToString(reference) + "' is " +
                       std::string(KindName(found.node->kind())) +
                       ", not a variable");
    }
    FailUnknownName(context, reference, found);
  }
  for (std::size_t i = 0; i + 1 < found.parts; ++i) {
    if (!reference.parts[i].subscripts.empty()) {
      context.Fail(reference.parts[i].name.span,
                   "a class cannot have subscripts");
    }
  }
  used = found.parts;
  if (used > 1) {
    CheckPublic(context, *found.member, *found.node, names[used - 1].span);
  }
  return ComponentOf(context, found, found.parts);
}

Value EnumerationLiteral(LoweringContext& context,
                         const ast::ComponentReference& reference,
                         const ClassTree::Found& found) {
  const std::string wanted(
      found.literal.empty() ? reference.parts.back().name.text : found.literal);
  const auto& literals = found.node->literals;
  const auto at = std::ranges::find(literals, wanted);
  if (at == literals.end()) {
    FailUnknownName(context, reference, found);
  }
  return NumberValue(
      IntegerOf(context.session.graph, at - literals.begin() + 1),
      found.node->enumeration);
}

void CheckPublic(LoweringContext& context,
                 const Member& member,
                 const ClassNode& type,
                 const ast::Span& span) {
  if (member.is_protected) {
    context.Fail(span,
                 "cannot use '" + std::string(member.name) +
                     "' here: it is protected "
                     "in class " +
                     type.name,
                 "make it public, or use a public variable of the class");
  }
}

Component& MemberNamed(LoweringContext& context,
                       Instance& instance,
                       const ast::Identifier& name) {
  Component* component = instance.Find(name.text);
  if (component == nullptr) {
    component = instance.Find(context.session.tree.conversions().NewNameOf(
        context.where.scope,
        *instance.type,
        name.text,
        instance.component == nullptr ? std::string_view()
                                      : instance.component->member->old_type));
  }
  if (component == nullptr) {
    if (instance.type->Find(name.text) != nullptr) {
      context.Fail(name.span,
                   "'" + std::string(name.text) + "' is a class in " +
                       instance.type->name + ", not a component");
    }
    context.Fail(
        name.span,
        "no element '" + std::string(name.text) + "' in class " +
            instance.type->name,
        SuggestMember(name.text, *instance.type, context.session.diagnostics));
  }
  CheckPublic(context, *component->member, *instance.type, name.span);
  return *component;
}

void CheckDeclared(LoweringContext& context,
                   const Instance& instance,
                   const ast::Identifier& name) {
  if (IsExpandable(*instance.type) &&
      instance.type->Find(name.text) == nullptr) {
    context.Fail(
        name.span,
        "'" + instance.path.str() + "." + std::string(name.text) +
            "' cannot be used in an expression: the expandable connector " +
            instance.type->name + " does not declare it",
        "declare it there; what only connections name can only be connected");
  }
}

}  // namespace orrery::modelica::internal
