#include "orrery/modelica/functions/function_arguments.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/classes/class_checks.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/functions/callees.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/names.h"

namespace orrery::modelica::internal {
namespace {

Value FunctionArgument(LoweringContext& context,
                       const ast::Expression& written,
                       const std::string& what);

// The function of that name: a class, or an input that is a function.
Value FunctionNamed(LoweringContext& context,
                    std::span<const ast::Identifier> names,
                    bool is_global,
                    const ast::Span& span) {
  const ClassTree::Found found = context.session.tree.Find(
      context.where.scope, {names.data(), names.size()}, is_global);
  const std::string name = "'" + std::string(names.back().text) + "'";
  if (found.is_broken) {
    throw Abandoned{};
  }
  if (found.member != nullptr && found.parts == names.size()) {
    const Component& component = *ComponentOf(context, found, found.parts);
    if (component.binding.function != nullptr) {
      return component.binding;
    }
    context.Fail(span, name + " is a component, not a function");
  }
  if (found.member != nullptr || found.parts != names.size()) {
    context.Fail(span, "no function " + name + " is known here");
  }
  if (!context.session.tree.Expand(found.node)) {
    throw Abandoned{};
  }
  if (found.node->kind() != ast::ClassKind::kFunction) {
    context.Fail(span,
                 name + " is " + std::string(KindName(found.node->kind())) +
                     ", not a function");
  }
  Callee callee{.node = found.node,
                .around = EnclosingModel(context),
                .argument = nullptr};
  callee.node = WithInnerClasses(context, callee, span);
  auto function = std::make_shared<FunctionValue>();
  function->node = callee.node;
  function->around = callee.around;
  return {.function = std::move(function)};
}

Value LowerArgument(LoweringContext& context,
                    const ClassNode& function,
                    Member& input,
                    const ast::Expression* written,
                    Shape& extra) {
  ClassNode* const type = context.session.tree.TypeOf(input);
  if (type == nullptr || !context.session.tree.Expand(type)) {
    throw Abandoned{};
  }
  if (written == nullptr) {
    return {};
  }
  const std::string what =
      "input '" + std::string(input.name) + "' of " + function.name;
  if (type->kind() == ast::ClassKind::kFunction) {
    return FunctionArgument(context, *written, what);
  }
  Value argument = ConvertTo(context,
                             LowerExpression(context, *written),
                             type,
                             nullptr,
                             written->span,
                             what);
  const std::size_t rank = DeclaredRank(input, *type);
  const Shape& shape = argument.shape();
  if (shape.size() < rank) {
    context.Fail(written->span,
                 what + " has " + std::to_string(rank) +
                     (rank == 1 ? " dimension" : " dimensions") + ", not " +
                     std::to_string(shape.size()));
  }
  extra.assign(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(rank));
  return argument;
}

Value FunctionWithInputs(LoweringContext& context,
                         const ast::PartialApplication& partial,
                         const ast::Span& span) {
  const ast::Name& name = partial.function;
  const Value whole = FunctionNamed(
      context, {name.parts.begin(), name.parts.size()}, name.is_global, span);
  auto function = std::make_shared<FunctionValue>(*whole.function);
  ClassNode& node = *function->node;
  for (const ast::CallArgument& argument : partial.arguments) {
    Member* const input = node.Find(argument.name.text);
    if (input == nullptr || input->clause == nullptr ||
        input->clause->prefix.causality != ast::Causality::kInput ||
        function->Find(input->name) != nullptr) {
      context.Fail(
          argument.name.span,
          "no open input '" + std::string(argument.name.text) + "' in " +
              node.name,
          SuggestMember(argument.name.text, node, context.session.diagnostics));
    }
    Shape extra;
    Value value = LowerArgument(context, node, *input, argument.value, extra);
    if (!extra.empty()) {
      context.Fail(argument.value->span,
                   "a function that is an argument takes no arrays element by "
                   "element");
    }
    function->given.emplace_back(input->name, std::move(value));
  }
  return {.function = std::move(function)};
}

Value FunctionArgument(LoweringContext& context,
                       const ast::Expression& written,
                       const std::string& what) {
  if (const auto* const partial =
          std::get_if<ast::PartialApplication>(&written.node)) {
    return FunctionWithInputs(context, *partial, written.span);
  }
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&written.node);
  if (reference == nullptr) {
    context.Fail(
        written.span,
        what + " is a function, not a formula",
        "name a function, or write 'function f(k = 2)' to give it some of "
        "its inputs");
  }
  return FunctionNamed(
      context, NamesOf(*reference), reference->is_global, reference->span);
}

}  // namespace

CallArguments LowerArguments(LoweringContext& context,
                             const Callee& callee,
                             const ast::Call& call,
                             const ast::Span& span) {
  ClassNode* const function = callee.node;
  const auto inputs = MembersOf(*function, ast::Causality::kInput);
  const auto own = [&](const Member* input) {
    return callee.argument == nullptr ? nullptr
                                      : callee.argument->Find(input->name);
  };
  std::vector<Member*> open;
  std::ranges::copy_if(
      inputs, std::back_inserter(open), [&](const auto* input) {
        return own(input) == nullptr;
      });
  const auto matched = MatchArguments(context, function, open, call, span);
  auto next = matched.begin();
  CallArguments arguments{
      .values = std::vector<Value>(inputs.size()),
      .is_vectorized = std::vector<bool>(inputs.size(), false),
      .vectorized = {}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (const Value* const brought = own(inputs[i])) {
      arguments.values[i] = *brought;
      continue;
    }
    const ast::Expression* const written = *next++;
    Shape extra;
    arguments.values[i] =
        LowerArgument(context, *function, *inputs[i], written, extra);
    if (extra.empty()) {
      continue;
    }
    if (!arguments.vectorized.empty() && extra != arguments.vectorized) {
      context.Fail(written->span,
                   "the arrays given to " + function->name +
                       " element by element have different sizes");
    }
    arguments.is_vectorized[i] = true;
    arguments.vectorized = std::move(extra);
  }
  return arguments;
}

}  // namespace orrery::modelica::internal
