#include "orrery/modelica/expressions/lowering.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/call_stack.h"
#include "orrery/modelica/classes/depth.h"
#include "orrery/modelica/expressions/arrays.h"
#include "orrery/modelica/expressions/as_written.h"
#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/expressions/if_expressions.h"
#include "orrery/modelica/expressions/operators.h"
#include "orrery/modelica/expressions/ranges.h"
#include "orrery/modelica/expressions/references.h"
#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/modelica/values/sizes_in_run.h"
#include "orrery/symbolic/transform.h"
#include "orrery/syntax/overload.h"

namespace orrery::modelica::internal {
namespace {

Value LowerString(const ast::StringLiteral& literal) {
  return {.text =
              std::make_shared<const std::string>(ast::Unescape(literal.raw))};
}

Value LowerMember(LoweringContext& context,
                  const ast::Member& member,
                  const ast::Span& span) {
  const Value base = LowerExpression(context, *member.base);
  const Value* const field =
      base.record != nullptr ? base.record->Find(member.name.text) : nullptr;
  if (field == nullptr) {
    context.Fail(span,
                 Describe(base) + " has no element '" +
                     std::string(member.name.text) + "'");
  }
  return *field;
}

}  // namespace

std::int64_t LowerConstantInteger(LoweringContext& context,
                                  const ast::Expression& expression,
                                  std::string_view why) {
  const Expr expr = LowerScalar(context, expression, ValueType::kInteger);
  if (const std::optional<std::int64_t> size = KnownSize(context, expr)) {
    return *size;
  }
  const double value = EvaluateOrUnroll(context, expr, expression.span, why)[0];
  constexpr double kLargest = 1e15;
  if (!(std::abs(value) <= kLargest)) {
    context.Fail(expression.span, std::string(why) + " is too large");
  }
  return static_cast<std::int64_t>(value);
}

std::vector<std::pair<Expr, ast::Span>> LowerConditions(
    LoweringContext& context, const ast::Expression& expression) {
  std::vector<std::pair<Expr, ast::Span>> conditions;
  const auto* const list = std::get_if<ast::ArrayConstructor>(&expression.node);
  if (list != nullptr && list->iterators.empty()) {
    for (const ast::Expression* const element : list->elements) {
      conditions.emplace_back(LowerCondition(context, *element), element->span);
    }
    return conditions;
  }
  const Expr value = LowerNumbers(context, expression);
  if (value.type() != ValueType::kBoolean || value.shape().size() > 1) {
    context.Fail(
        expression.span,
        "the condition of a when-clause is Boolean or a vector of Booleans, "
        "not " +
            Describe(NumberValue(value)));
  }
  for (const Expr element :
       orrery::Elements(context.session.graph).All(value)) {
    conditions.emplace_back(element, expression.span);
  }
  return conditions;
}

Expr LowerNumbers(LoweringContext& context, const ast::Expression& expression) {
  const Value value = LowerExpression(context, expression);
  if (!value.is_number()) {
    context.Fail(
        expression.span,
        "a number or Boolean is expected here, not " + Describe(value));
  }
  return value.expr;
}

Expr LowerScalar(LoweringContext& context,
                 const ast::Expression& expression,
                 ValueType type) {
  const Expr expr = LowerNumbers(context, expression);
  const bool fits = expr.type() == type || (type == ValueType::kReal &&
                                            expr.type() == ValueType::kInteger);
  if (!fits || !expr.is_scalar()) {
    context.Fail(expression.span,
                 "expected " + std::string(TypeName(type)) + ", found " +
                     Describe(NumberValue(expr)));
  }
  return expr;
}

Expr LowerCondition(LoweringContext& context,
                    const ast::Expression& expression) {
  return LowerScalar(context, expression, ValueType::kBoolean);
}

Value LowerExpression(LoweringContext& context,
                      const ast::Expression& expression) {
  const ast::Span& span = expression.span;
  if (IsStackNearlyFull()) {
    context.Fail(span, kTooDeep, kMendDepth);
  }
  ExprGraph& graph = context.session.graph;
  Value value = std::visit(
      Overload{
          [&](const ast::IntegerLiteral& literal) {
            return NumberValue(IntegerOf(graph, literal.value));
          },
          [&](const ast::RealLiteral& literal) {
            return NumberValue(graph.Constant(literal.value));
          },
          [&](const ast::BooleanLiteral& literal) {
            return NumberValue(graph.Boolean(literal.value));
          },
          [&](const ast::StringLiteral& literal) {
            return LowerString(literal);
          },
          [&](const ast::End&) {
            if (context.ends.empty()) {
              context.Fail(span, "'end' has a meaning in subscripts only");
            }
            return NumberValue(IntegerOf(graph, context.ends.back()));
          },
          [&](const ast::Colon&) -> Value {
            context.Fail(span, "':' has a meaning in subscripts only");
          },
          [&](const ast::ComponentReference& reference) {
            return LowerReference(context, reference);
          },
          [&](const ast::Call& call) { return LowerCall(context, call, span); },
          [&](const ast::PartialApplication&) -> Value {
            context.Fail(span,
                         "a function can only be given to an input that is a "
                         "function");
          },
          [&](const ast::ArrayConstructor& array) {
            return LowerArray(context, array, span);
          },
          [&](const ast::MatrixConstructor& matrix) {
            return LowerMatrix(context, matrix, span);
          },
          [&](const ast::Tuple&) -> Value {
            context.Fail(
                span,
                "a list in parentheses can stand only on the left side of a "
                "function call");
          },
          [&](const ast::Subscripted& subscripted) {
            const Value base = LowerExpression(context, *subscripted.base);
            return Select(
                context,
                base,
                LowerSubscripts(
                    context, subscripted.subscripts, base.shape(), span));
          },
          [&](const ast::Member& member) {
            return LowerMember(context, member, span);
          },
          [&](const ast::Unary& unary) {
            return LowerUnary(context, unary, span);
          },
          [&](const ast::Operation& operation) {
            return LowerOperation(context, operation, span);
          },
          [&](const ast::Range& range) {
            return LowerRange(context, range, span);
          },
          [&](const ast::IfExpression& choice) {
            return LowerIfExpression(context, choice, span);
          },
          [&](const ast::Invalid&) -> Value { throw Abandoned{}; },
      },
      expression.node);
  return value;
}

Value LowerExpressionAsWritten(LoweringContext& context,
                               const ast::Expression& expression) {
  const Switched keeps(context.keeps_constants, true);
  return LowerExpression(context, expression);
}

}  // namespace orrery::modelica::internal
