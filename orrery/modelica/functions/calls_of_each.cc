#include <algorithm>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_records.h"
#include "orrery/modelica/functions/functions.h"

/// Calls of functions for each element of arrays (specification 3.6, section
/// 12.4.6).
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

Value Lowering::CallEach(const Callee& callee,
                         const Arguments& arguments,
                         const ast::Span& span) {
  const auto call = [&](std::span<const Expr> at) {
    std::vector<Subscript> subscripts;
    for (const Expr scalar : at) {
      subscripts.push_back({.scalar = scalar});
    }
    std::vector<Value> elements = arguments.values;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (arguments.is_vectorized[i]) {
        elements[i] = Select(elements[i], subscripts);
      }
    }
    return CallWith(callee, std::move(elements), span).front();
  };
  for (std::size_t i = 0; i < arguments.values.size(); ++i) {
    if (arguments.is_vectorized[i] && HasTexts(arguments.values[i])) {
      Fail(span,
           callee.node->name +
               " element by element with Strings is not supported yet",
           "call it for each of them");
    }
  }
  if (NumElements(arguments.vectorized) == 0) {
    const auto outputs = MembersOf(*callee.node, ast::Causality::kOutput);
    if (!outputs.empty()) {
      return NoElements(session_, *outputs.front(), arguments.vectorized);
    }
  }
  ExprGraph& graph = session_.graph;
  ClassNode* const type = RecordResultOf(session_, *callee.node);
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
  return Arrange(std::move(results), arguments.vectorized, span);
}

}  // namespace orrery::modelica::internal
