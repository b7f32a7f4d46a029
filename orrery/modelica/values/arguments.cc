#include "orrery/modelica/values/arguments.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/classes/version_conversions.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

std::vector<const ast::Expression*> PlaceFixed(
    LoweringContext& context,
    const ast::Call& call,
    std::initializer_list<std::string> names,
    const ast::Span& span) {
  const std::string callee = "'" + ast::ToString(call.function) + "'";
  auto arguments = PlaceArguments(
      context, callee, std::span(names.begin(), names.size()), call);
  if (!call.iterators.empty()) {
    context.Fail(span, callee + " cannot be used with iterators");
  }
  return arguments;
}

std::vector<const ast::Expression*> PlaceArguments(
    LoweringContext& context,
    const std::string& callee,
    std::span<const std::string> names,
    const ast::Call& call,
    ClassNode* function) {
  std::vector<const ast::Expression*> arguments(names.size(), nullptr);
  std::size_t position = 0;
  for (const ast::CallArgument& argument : call.arguments) {
    std::size_t at = position;
    if (argument.name.text.empty()) {
      ++position;
    } else {
      const std::string_view name =
          function == nullptr
              ? argument.name.text
              : context.session.tree.conversions().NewNameOf(
                    context.where.scope, *function, argument.name.text);
      at = static_cast<std::size_t>(std::ranges::find(names, name) -
                                    names.begin());
      if (at == names.size()) {
        context.Fail(
            argument.name.span,
            "no input '" + std::string(argument.name.text) + "' in " + callee,
            Suggest(argument.name.text, {names.begin(), names.end()}));
      }
    }
    if (at >= names.size()) {
      context.Fail(argument.value->span,
                   callee + " takes " + std::to_string(names.size()) +
                       (names.size() == 1 ? " argument" : " arguments") +
                       ", not " + std::to_string(call.arguments.size()));
    }
    if (arguments[at] != nullptr) {
      context.Fail(
          argument.value->span,
          "input '" + names[at] + "' of " + callee + " is given twice");
    }
    arguments[at] = argument.value;
  }
  return arguments;
}

std::vector<const ast::Expression*> MatchArguments(
    LoweringContext& context,
    ClassNode* node,
    const std::vector<Member*>& inputs,
    const ast::Call& call,
    const ast::Span& span) {
  std::vector<std::string> names;
  names.reserve(inputs.size());
  for (const Member* const input : inputs) {
    names.emplace_back(input->name);
  }
  auto arguments = PlaceArguments(context, node->name, names, call, node);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (arguments[i] == nullptr && !HasDefault(context, *node, *inputs[i])) {
      context.Fail(
          span, "input '" + names[i] + "' of " + node->name + " is not given");
    }
  }
  return arguments;
}

bool HasDefault(LoweringContext& context,
                ClassNode& node,
                const Member& input) {
  const auto* const declared = input.declaration->modification;
  if (declared != nullptr && declared->value != nullptr) {
    return true;
  }
  const Modifier* const said =
      NewInstance(context.session, &node, nullptr, node.name, nullptr)
          ->parts[input.inherited_part];
  const Modifier* const own =
      said == nullptr ? nullptr : said->Find(input.name);
  return own != nullptr && own->value != nullptr;
}

void CheckCallable(LoweringContext& context,
                   const ClassNode& function,
                   const ast::Span& span) {
  if (function.is_partial()) {
    context.Fail(span, "cannot call the partial function " + function.name);
  }
}

}  // namespace orrery::modelica::internal
