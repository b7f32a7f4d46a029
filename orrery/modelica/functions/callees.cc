#include "orrery/modelica/expressions/lowering.h"

/// Finds the function of a call, and the surroundings of its defaults.
namespace orrery::modelica::internal {

Callee Lowering::FindCallee(const ast::ComponentReference& reference) {
  const std::vector<ast::Identifier> names = NamesOf(reference);
  return FindCallee(
      reference,
      session_.tree.Find(
          context_.scope, {names.data(), names.size()}, reference.is_global));
}

Callee Lowering::FindCallee(const ast::ComponentReference& reference,
                            const ClassTree::Found& found) {
  const std::span parts(reference.parts.begin(), reference.parts.size());
  if (found.member != nullptr) {
    return FunctionOf(*ComponentOf(found, found.parts),
                      parts.subspan(found.parts - 1));
  }
  return found.parts == parts.size()
             ? Callee{.node = found.node, .around = EnclosingModel()}
             : Callee{};
}

// The instance whose components defaults of inputs may name.
Instance* Lowering::EnclosingModel() const {
  Instance* around = context_.instance;
  while (around != nullptr && around->is_function) {
    around = around->parent;
  }
  return around;
}

// A function that is found through a component, in its class (specification
// 3.6, section 5.3.2).
Callee Lowering::FunctionOf(Component& given,
                            std::span<const ast::ReferencePart> parts) {
  if (parts.size() == 1) {
    const auto& function = given.binding.function;
    return function == nullptr ? Callee{}
                               : Callee{.node = function->node,
                                        .around = function->around,
                                        .argument = function};
  }
  if (!Elaborate(session_, given)) {
    throw Abandoned{};
  }
  Component& component = Target(given);
  const ast::Identifier& name = parts[1].name;
  if (component.is_absent) {
    Fail(name.span,
         "'" + component.path() +
             "' does not exist: the condition of its declaration is false");
  }
  if (component.is_predefined()) {
    return {};
  }
  const auto element = ConstantElement(
      parts.front().subscripts, component, parts.front().name.span);
  if (!element) {
    Fail(parts.front().name.span,
         "'" + component.path() +
             "' is an array: a function is found through one component",
         "name one of its elements");
  }
  Instance& instance = *component.elements[*element];
  internal::Member* const member = instance.type->Find(name.text);
  if (member == nullptr || member->nested == nullptr) {
    return FunctionOf(Member(instance, name), parts.subspan(1));
  }
  CheckPublic(*member, *instance.type, name.span);
  if (parts.size() > 2 || !session_.tree.Expand(member->nested) ||
      member->nested->kind() != ast::ClassKind::kFunction) {
    Fail(name.span,
         "'" + std::string(name.text) + "' is " +
             std::string(KindName(member->nested->kind())) + " in " +
             instance.type->name +
             ": only functions are found through a component");
  }
  return {.node = member->nested, .around = &instance};
}

}  // namespace orrery::modelica::internal
