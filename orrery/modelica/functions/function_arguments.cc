#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/functions/functions.h"

/// Functions as arguments of functions (specification 3.6, section 12.4.2). The
/// called function is specialised for each; inputs that the argument brings
/// become further inputs.
namespace orrery::modelica::internal {

Value Lowering::ReadInput(Component& input, const ast::Span& span) {
  if (input.binding.function != nullptr) {
    return input.binding;
  }
  return input.is_predefined() ? ReadPredefined(input, span)
                               : ReadRecord(input, span);
}

Value Lowering::FunctionArgument(const ast::Expression& written,
                                 const std::string& what) {
  if (const auto* const partial =
          std::get_if<ast::PartialApplication>(&written.node)) {
    return FunctionWithInputs(*partial, written.span);
  }
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&written.node);
  if (reference == nullptr) {
    Fail(written.span,
         what + " is a function, not a formula",
         "name a function, or write 'function f(k = 2)' to give it some of "
         "its inputs");
  }
  return FunctionNamed(
      NamesOf(*reference), reference->is_global, reference->span);
}

// The function of that name: a class, or an input that is a function.
Value Lowering::FunctionNamed(std::span<const ast::Identifier> names,
                              bool is_global,
                              const ast::Span& span) {
  const ClassTree::Found found = session_.tree.Find(
      context_.scope, {names.data(), names.size()}, is_global);
  const std::string name = "'" + std::string(names.back().text) + "'";
  if (found.is_broken) {
    throw Abandoned{};
  }
  if (found.member != nullptr && found.parts == names.size()) {
    const Component& component = *ComponentOf(found, found.parts);
    if (component.binding.function != nullptr) {
      return component.binding;
    }
    Fail(span, name + " is a component, not a function");
  }
  if (found.member != nullptr || found.parts != names.size()) {
    Fail(span, "no function " + name + " is known here");
  }
  if (!session_.tree.Expand(found.node)) {
    throw Abandoned{};
  }
  if (found.node->kind() != ast::ClassKind::kFunction) {
    Fail(span,
         name + " is " + std::string(KindName(found.node->kind())) +
             ", not a function");
  }
  Callee callee{
      .node = found.node, .around = EnclosingModel(), .argument = nullptr};
  callee.node = WithInnerClasses(callee, span);
  auto function = std::make_shared<FunctionValue>();
  function->node = callee.node;
  function->around = callee.around;
  return {.function = std::move(function)};
}

Value Lowering::FunctionWithInputs(const ast::PartialApplication& partial,
                                   const ast::Span& span) {
  const ast::Name& name = partial.function;
  const Value whole = FunctionNamed(
      {name.parts.begin(), name.parts.size()}, name.is_global, span);
  auto function = std::make_shared<FunctionValue>(*whole.function);
  ClassNode& node = *function->node;
  for (const ast::CallArgument& argument : partial.arguments) {
    internal::Member* const input = node.Find(argument.name.text);
    if (input == nullptr || input->clause == nullptr ||
        input->clause->prefix.causality != ast::Causality::kInput ||
        function->Find(input->name) != nullptr) {
      Fail(argument.name.span,
           "no open input '" + std::string(argument.name.text) + "' in " +
               node.name,
           SuggestMember(argument.name.text, node));
    }
    Shape extra;
    Value value = LowerArgument(node, *input, argument.value, extra);
    if (!extra.empty()) {
      Fail(argument.value->span,
           "a function that is an argument takes no arrays element by "
           "element");
    }
    function->given.emplace_back(input->name, std::move(value));
  }
  return {.function = std::move(function)};
}

}  // namespace orrery::modelica::internal
