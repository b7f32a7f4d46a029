#include "orrery/modelica/functions/calls_of_each.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/functions/function_arguments.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/modelica/values/stacking.h"

namespace orrery::modelica::internal {
namespace {

bool HasTexts(const Value& value) {
  if (value.record == nullptr) {
    return IsText(value) || AreTexts(value);
  }
  return std::ranges::any_of(
             value.record->fields,
             [](const auto& field) { return HasTexts(field.second); }) ||
         std::ranges::any_of(value.record->elements, HasTexts);
}

bool IsOfElements(const Value& value) {
  return value.record != nullptr && !value.record->elements.empty();
}

// The type of its first output, if that is a record.
ClassNode* RecordResultOf(Session& session, ClassNode& function) {
  const auto outputs = MembersOf(function, ast::Causality::kOutput);
  ClassNode* const type =
      outputs.empty() ? nullptr : session.tree.TypeOf(*outputs.front());
  return type != nullptr && session.tree.Expand(type) &&
                 type->built_in == BuiltIn::kNone
             ? type
             : nullptr;
}

}  // namespace

Value CallEach(LoweringContext& context,
               const Callee& callee,
               const CallArguments& arguments,
               const ast::Span& span) {
  const auto call = [&](std::span<const Expr> at) {
    std::vector<Subscript> subscripts;
    for (const Expr scalar : at) {
      subscripts.push_back({.scalar = scalar});
    }
    std::vector<Value> elements = arguments.values;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (arguments.is_vectorized[i]) {
        elements[i] = Select(context, elements[i], subscripts);
      }
    }
    return CallWith(context, callee, std::move(elements), span).front();
  };
  for (std::size_t i = 0; i < arguments.values.size(); ++i) {
    if (arguments.is_vectorized[i] && HasTexts(arguments.values[i])) {
      context.Fail(span,
                   callee.node->name +
                       " element by element with Strings is not supported yet",
                   "call it for each of them");
    }
  }
  if (NumElements(arguments.vectorized) == 0) {
    const auto outputs = MembersOf(*callee.node, ast::Causality::kOutput);
    if (!outputs.empty()) {
      return NoElements(
          context.session, *outputs.front(), arguments.vectorized);
    }
  }
  ExprGraph& graph = context.session.graph;
  ClassNode* const type = RecordResultOf(context.session, *callee.node);
  if (type == nullptr && std::ranges::none_of(arguments.values, IsOfElements)) {
    const ClassNode* enumeration = nullptr;
    const Expr results =
        BuildArray(graph, arguments.vectorized, [&](std::span<const Expr> at) {
          const Value result = call(at);
          enumeration = result.enumeration;
          return result.expr;
        });
    return NumberValue(results, enumeration);
  }
  std::vector<Value> results;
  for (std::int64_t i = 0; i < NumElements(arguments.vectorized); ++i) {
    std::vector<Expr> at;
    for (const std::int64_t number : SubscriptsOf(arguments.vectorized, i)) {
      at.push_back(IntegerOf(graph, number));
    }
    results.push_back(call(at));
  }
  return Arrange(context, std::move(results), arguments.vectorized, span);
}

}  // namespace orrery::modelica::internal
