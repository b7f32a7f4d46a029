#include "orrery/modelica/expressions/ranges.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/modelica/expressions/iterators.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/enumerations.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {
namespace {

// false:true (specification 3.6, section 10.4.3).
Value LowerBooleanRange(LoweringContext& context,
                        const ast::Range& range,
                        const ast::Span& span) {
  if (range.step != nullptr) {
    context.Fail(range.step->span, "a range of Booleans has no step");
  }
  const double first = EvaluateOrUnroll(
      context, LowerCondition(context, *range.start), span, "a range")[0];
  const double last = EvaluateOrUnroll(
      context, LowerCondition(context, *range.stop), span, "a range")[0];
  std::vector<double> values;
  if (first <= last) {
    values.push_back(first);
  }
  if (first < last) {
    values.push_back(last);
  }
  const auto count = static_cast<std::int64_t>(values.size());
  return NumberValue(context.session.graph.ArrayConstant(
      values, {count}, ValueType::kBoolean));
}

}  // namespace

std::optional<orrery::Range> LowerIntegerRange(LoweringContext& context,
                                               const ast::Range& range,
                                               const ast::Span& span) {
  const auto part = [&](const ast::Expression& expression) {
    const Expr expr = LowerNumbers(context, expression);
    if (!expr.is_scalar()) {
      context.Fail(expression.span, "the bounds of a range are scalars");
    }
    return expr;
  };
  const Expr start = part(*range.start);
  const Expr stop = part(*range.stop);
  const Expr step = range.step != nullptr ? part(*range.step)
                                          : context.session.graph.Constant(
                                                1, ValueType::kInteger);
  for (const Expr bound : {start, stop, step}) {
    if (bound.type() != ValueType::kInteger) {
      return std::nullopt;
    }
  }
  EnumerationOf(context, range, span);
  const double first =
      EvaluateOrUnroll(context, start, range.start->span, "a range")[0];
  const double last =
      EvaluateOrUnroll(context, stop, range.stop->span, "a range")[0];
  const double by = EvaluateOrUnroll(context, step, span, "a range")[0];
  if (by == 0) {
    context.Fail(span, "the step of a range is zero");
  }
  constexpr double kLargest = 1e15;
  if (!(std::abs(first) < kLargest && std::abs(last) < kLargest &&
        std::abs(by) < kLargest)) {
    context.Fail(span, "this range is too large");
  }
  const double count = std::max(0.0, std::floor((last - first) / by) + 1);
  if (count > static_cast<double>(kMaxArraySize)) {
    context.Fail(span,
                 "this range has more than " + std::to_string(kMaxArraySize) +
                     " values");
  }
  return orrery::Range{.start = static_cast<std::int64_t>(first),
                       .step = static_cast<std::int64_t>(by),
                       .count = static_cast<std::int64_t>(count)};
}

const ClassNode* EnumerationOf(LoweringContext& context,
                               const ast::Range& range,
                               const ast::Span& span) {
  const Value first = LowerExpression(context, *range.start);
  const Value last = LowerExpression(context, *range.stop);
  if (!AreOneEnumeration(first.enumeration, last.enumeration)) {
    context.Fail(span,
                 "a range has bounds of one type, not " + Describe(first) +
                     " and " + Describe(last));
  }
  if (first.enumeration != nullptr && range.step != nullptr) {
    context.Fail(range.step->span, "a range of an enumeration has no step");
  }
  return first.enumeration;
}

Value LowerRange(LoweringContext& context,
                 const ast::Range& range,
                 const ast::Span& span) {
  ExprGraph& graph = context.session.graph;
  if (const auto integers = LowerIntegerRange(context, range, span)) {
    const Expr iterator = graph.Iterator("i", *integers);
    return NumberValue(graph.Loop(Op::kBuild, iterator, iterator),
                       EnumerationOf(context, range, span));
  }
  if (LowerNumbers(context, *range.start).type() == ValueType::kBoolean) {
    return LowerBooleanRange(context, range, span);
  }
  const Expr start = LowerScalar(context, *range.start, ValueType::kReal);
  const Expr stop = LowerScalar(context, *range.stop, ValueType::kReal);
  const Expr step = range.step != nullptr
                        ? LowerScalar(context, *range.step, ValueType::kReal)
                        : graph.Constant(1);
  const double first = EvaluateOrUnroll(context, start, span, "a range")[0];
  const double last = EvaluateOrUnroll(context, stop, span, "a range")[0];
  const double by = EvaluateOrUnroll(context, step, span, "a range")[0];
  const double count = std::floor((last - first) / by * kUpToRounding) + 1;
  if (!(count < static_cast<double>(kMaxArraySize))) {
    context.Fail(span, "this range has no end, or too many values");
  }
  const Expr iterator = graph.Iterator(
      "i",
      {.start = 0, .count = static_cast<std::int64_t>(std::max(0.0, count))});
  return NumberValue(graph.Loop(Op::kBuild, iterator, start + iterator * step));
}

}  // namespace orrery::modelica::internal
