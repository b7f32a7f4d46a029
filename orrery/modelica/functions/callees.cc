#include "orrery/modelica/functions/callees.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/names.h"

namespace orrery::modelica::internal {
namespace {

// A function that is found through a component, in its class (specification
// 3.6, section 5.3.2).
Callee FunctionOf(LoweringContext& context,
                  Component& given,
                  std::span<const ast::ReferencePart> parts) {
  if (parts.size() == 1) {
    const auto& function = given.binding.function;
    return function == nullptr ? Callee{}
                               : Callee{.node = function->node,
                                        .around = function->around,
                                        .argument = function};
  }
  if (!Elaborate(context.session, given)) {
    throw Abandoned{};
  }
  Component& component = Target(given);
  const ast::Identifier& name = parts[1].name;
  if (component.is_absent) {
    context.Fail(
        name.span,
        "'" + component.path() +
            "' does not exist: the condition of its declaration is false");
  }
  if (component.is_predefined()) {
    return {};
  }
  const auto element = ConstantElement(
      context, parts.front().subscripts, component, parts.front().name.span);
  if (!element) {
    context.Fail(parts.front().name.span,
                 "'" + component.path() +
                     "' is an array: a function is found through one component",
                 "name one of its elements");
  }
  Instance& instance = *component.elements[*element];
  Member* const member = instance.type->Find(name.text);
  if (member == nullptr || member->nested == nullptr) {
    return FunctionOf(
        context, MemberNamed(context, instance, name), parts.subspan(1));
  }
  CheckPublic(context, *member, *instance.type, name.span);
  if (parts.size() > 2 || !context.session.tree.Expand(member->nested) ||
      member->nested->kind() != ast::ClassKind::kFunction) {
    context.Fail(name.span,
                 "'" + std::string(name.text) + "' is " +
                     std::string(KindName(member->nested->kind())) + " in " +
                     instance.type->name +
                     ": only functions are found through a component");
  }
  return {.node = member->nested, .around = &instance};
}

}  // namespace

Callee FindCallee(LoweringContext& context,
                  const ast::ComponentReference& reference) {
  const std::vector<ast::Identifier> names = NamesOf(reference);
  return FindCallee(context,
                    reference,
                    context.session.tree.Find(context.where.scope,
                                              {names.data(), names.size()},
                                              reference.is_global));
}

Callee FindCallee(LoweringContext& context,
                  const ast::ComponentReference& reference,
                  const ClassTree::Found& found) {
  const std::span parts(reference.parts.begin(), reference.parts.size());
  if (found.member != nullptr) {
    return FunctionOf(context,
                      *ComponentOf(context, found, found.parts),
                      parts.subspan(found.parts - 1));
  }
  return found.parts == parts.size()
             ? Callee{.node = found.node, .around = EnclosingModel(context)}
             : Callee{};
}

Instance* EnclosingModel(LoweringContext& context) {
  Instance* around = context.where.instance;
  while (around != nullptr && around->is_function) {
    around = around->parent;
  }
  return around;
}

ClassNode* WithInnerClasses(LoweringContext& context,
                            const Callee& callee,
                            const ast::Span& span) {
  ClassNode* function = callee.node;
  std::vector<Redeclaration> redeclarations;
  if (context.session.tree.Expand(function)) {
    AddInnerClasses(
        context.session,
        *function,
        callee.around != nullptr ? callee.around : context.where.instance,
        At(context.where.scope, span),
        "this call of " + function->name + ", which",
        redeclarations);
  }
  if (redeclarations.empty()) {
    return function;
  }
  function =
      context.session.tree.Redeclared(function, std::move(redeclarations));
  if (!context.session.tree.Expand(function)) {
    throw Abandoned{};
  }
  return function;
}

}  // namespace orrery::modelica::internal
