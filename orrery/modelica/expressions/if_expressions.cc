#include "orrery/modelica/expressions/if_expressions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orrery/modelica/expressions/as_written.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/choice.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// True if a condition of the run may choose between the two values.
bool AreOfOneForm(const Value& a, const Value& b) {
  if (a.shape() != b.shape()) {
    return false;
  }
  if (a.record == nullptr || b.record == nullptr) {
    return (a.is_number() && b.is_number()) || (IsText(a) && IsText(b));
  }
  if (!a.record->elements.empty() || !b.record->elements.empty()) {
    return std::ranges::equal(
        a.record->elements, b.record->elements, AreOfOneForm);
  }
  return std::ranges::all_of(a.record->fields, [&b](const auto& field) {
    const Value* const other = b.record->Find(field.first);
    return other != nullptr && AreOfOneForm(field.second, *other);
  });
}

bool HasDerivative(const Value& value) {
  if (value.record != nullptr) {
    return std::ranges::any_of(
               value.record->fields,
               [](const auto& field) { return HasDerivative(field.second); }) ||
           std::ranges::any_of(value.record->elements, HasDerivative);
  }
  return value.is_number() && value.expr.Contains(Trait::kDer);
}

bool HasReal(Expr condition) {
  const std::vector<std::uint32_t> parts = Reachable({&condition, 1});
  return std::ranges::any_of(parts, [condition](std::uint32_t id) {
    const Expr part = condition.graph().At(id);
    return part.op() == Op::kSymbol && part.type() == ValueType::kReal;
  });
}

// The value of a condition, if arguments or the loop around decide it.
std::optional<bool> DecideNow(LoweringContext& context, Expr condition) {
  const std::optional<bool> holds = DecideByArguments(context, condition);
  return holds ? holds : DecideInLoop(context, condition);
}

}  // namespace

Value LowerIfExpression(LoweringContext& context,
                        const ast::IfExpression& choice,
                        const ast::Span& span) {
  struct Taken {
    Expr condition;
    Value value;
  };

  std::vector<Taken> branches;
  std::optional<Value> otherwise;
  for (const ast::IfExpressionBranch& branch : choice.branches) {
    std::optional<Switched> numbers(
        std::in_place, context.keeps_constants, false);
    const Expr condition = LowerCondition(context, *branch.condition);
    numbers.reset();
    const std::optional<bool> holds = DecideNow(context, condition);
    if (holds == false) {
      continue;
    }
    if (holds) {
      otherwise = LowerExpression(context, *branch.value);
      break;
    }
    branches.push_back({condition, LowerExpression(context, *branch.value)});
  }
  if (!otherwise) {
    otherwise = LowerExpression(context, *choice.otherwise);
  }
  Value result = *otherwise;
  for (std::size_t i = branches.size(); i-- > 0;) {
    const Taken& branch = branches[i];
    // In models, texts must be known.
    const bool is_open =
        AreOfOneForm(branch.value, result) &&
        (!IsText(result) || context.where.instance->is_function);
    if (!is_open) {
      const double taken = EvaluateOrUnroll(
          context,
          branch.condition,
          span,
          "the condition that chooses between " + Describe(branch.value) +
              " and " + Describe(result))[0];
      result = taken != 0 ? branch.value : result;
      continue;
    }
    if (HasDerivative(branch.value) != HasDerivative(result) &&
        !HasReal(branch.condition)) {
      // A condition that is a parameter decides here which variables are
      // states.
      if (const std::optional<bool> holds = Decide(context, branch.condition)) {
        result = *holds ? branch.value : result;
        continue;
      }
    }
    result = ChooseValue(context, branch.condition, branch.value, result, span);
  }
  return result;
}

}  // namespace orrery::modelica::internal
