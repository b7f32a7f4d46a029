#include "orrery/modelica/values/known_values.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/values/loop_parts.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

std::vector<double> EvaluateOrUnroll(LoweringContext& context,
                                     Expr expr,
                                     const ast::Span& span,
                                     std::string_view why) {
  if (expr.is_constant()) {
    return {expr.value()};
  }
  if (!context.iterators.empty() && !TryEvaluate(context.session, expr)) {
    throw NeedsUnrolling{};
  }
  return Evaluate(context.session, expr, context.where, span, why);
}

std::optional<bool> Decide(LoweringContext& context, Expr condition) {
  if (condition.is_constant()) {
    return condition.value() != 0;
  }
  if (const auto value = TryEvaluate(context.session, condition)) {
    return Evaluate(context.session, condition, context.where, {}, "")[0] != 0;
  }
  return std::nullopt;
}

std::optional<bool> DecideInLoop(LoweringContext& context, Expr condition) {
  constexpr std::size_t kMostParts = 16;
  if (context.divisible == nullptr || !condition.Contains(Trait::kIterator)) {
    return std::nullopt;
  }
  for (const Expr iterator : *context.divisible) {
    std::vector<LoopPart> parts =
        PartsOf(context.session.graph, condition, iterator);
    if (parts.size() == 1) {
      return parts.front().holds;
    }
    if (!parts.empty() && parts.size() <= kMostParts) {
      throw NeedsParts{.iterator = iterator, .parts = std::move(parts)};
    }
  }
  return std::nullopt;
}

bool Varies(LoweringContext& context, Expr value) {
  try {
    return !TryEvaluate(context.session, value);
  } catch (const NeedsArgument& argument) {
    if (!context.session.component_of.at(argument.symbol.id())->is_of_run) {
      throw NeedsArgument{.symbol = argument.symbol, .may_vary = true};
    }
    return true;
  }
}

std::optional<double> KnownByArguments(LoweringContext& context, Expr scalar) {
  if (scalar.is_constant()) {
    return scalar.value();
  }
  if (!context.where.instance->is_function) {
    return std::nullopt;
  }
  try {
    const auto value = TryEvaluate(context.session, scalar);
    return value ? std::optional((*value)[0]) : std::nullopt;
  } catch (const NeedsArgument&) {
    return std::nullopt;
  }
}

std::optional<bool> DecideByArguments(LoweringContext& context,
                                      Expr condition) {
  const std::optional<double> value = KnownByArguments(context, condition);
  return value ? std::optional(*value != 0) : std::nullopt;
}

}  // namespace orrery::modelica::internal
