#include "orrery/modelica/expressions/operators.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/expressions/as_written.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_record_arrays.h"
#include "orrery/modelica/session/enumerations.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/text_values.h"
#include "orrery/syntax/elementary.h"

namespace orrery::modelica::internal {

using ast::BinaryOperator;

namespace {

// True for a sum, difference or product of Integer constants that was not
// folded because it exceeds the Integers.
bool IsTooLarge(const Value& value) {
  return value.is_number() && value.expr.type() == ValueType::kInteger &&
         value.expr.num_operands() == 2 &&
         value.expr.operand(0).is_constant() &&
         value.expr.operand(1).is_constant();
}

void CheckAreNumbers(LoweringContext& context,
                     const Value& value,
                     std::string_view op,
                     const ast::Span& span) {
  if (!value.is_number() || value.expr.type() == ValueType::kBoolean ||
      value.enumeration != nullptr) {
    context.Fail(
        span,
        "'" + std::string(op) + "' takes numbers, not " + Describe(value));
  }
}

void CheckSameShape(LoweringContext& context,
                    Expr a,
                    Expr b,
                    std::string_view op,
                    const ast::Span& span) {
  if (a.shape() != b.shape()) {
    const std::string elementwise =
        a.is_scalar() || b.is_scalar()
            ? "write '." + std::string(op) + "' to take each element"
            : "";
    context.Fail(span,
                 "'" + std::string(op) + "' takes operands of one size, not " +
                     Describe(NumberValue(a)) + " and " +
                     Describe(NumberValue(b)),
                 elementwise);
  }
}

Value ApplyToTexts(LoweringContext& context,
                   BinaryOperator op,
                   const Value& a,
                   const Value& b,
                   const ast::Span& span) {
  if (!IsText(a) || !IsText(b)) {
    context.Fail(span,
                 "'" + std::string(ast::Spelling(op)) + "' cannot join " +
                     Describe(a) + " and " + Describe(b));
  }
  const auto truth = [&](const std::function<bool(int)>& test) {
    return NumberValue(Compared(context.session.graph, a, b, test));
  };
  constexpr std::size_t kLongest = 1'000'000;
  const auto size_of = [](const Value& text) {  // 0 for a text of the run.
    return text.text ? text.text->size() : 0;
  };
  const std::size_t length = size_of(a) + size_of(b);
  if (op == BinaryOperator::kAdd && length > kLongest) {
    context.Fail(span,
                 "this text has " + std::to_string(length) +
                     " bytes; at most " + std::to_string(kLongest) +
                     " are possible");
  }
  switch (op) {
    case BinaryOperator::kAdd:
      return JoinTexts(context, a, b, span);
    case BinaryOperator::kEqual:
      return truth([](int order) { return order == 0; });
    case BinaryOperator::kNotEqual:
      return truth([](int order) { return order != 0; });
    case BinaryOperator::kLess:
      return truth([](int order) { return order < 0; });
    case BinaryOperator::kLessEqual:
      return truth([](int order) { return order <= 0; });
    case BinaryOperator::kGreater:
      return truth([](int order) { return order > 0; });
    case BinaryOperator::kGreaterEqual:
      return truth([](int order) { return order >= 0; });
    default:
      context.Fail(
          span,
          "'" + std::string(ast::Spelling(op)) + "' does not take Strings");
  }
}

Value ApplyLogical(LoweringContext& context,
                   BinaryOperator op,
                   const Value& a,
                   const Value& b,
                   const ast::Span& span) {
  const std::string_view spelling = ast::Spelling(op);
  for (const Value* const value : {&a, &b}) {
    if (!value->is_number() || value->expr.type() != ValueType::kBoolean) {
      context.Fail(span,
                   "'" + std::string(spelling) + "' takes Booleans, not " +
                       Describe(*value));
    }
  }
  CheckSameShape(context, a.expr, b.expr, spelling, span);
  return NumberValue(context.session.graph.Binary(
      op == BinaryOperator::kAnd ? Op::kAnd : Op::kOr, a.expr, b.expr));
}

Value ApplyComparison(LoweringContext& context,
                      BinaryOperator op,
                      const Value& a,
                      const Value& b,
                      const ast::Span& span) {
  const std::string spelling(ast::Spelling(op));
  if (!a.is_number() || !b.is_number() ||
      !AreOneEnumeration(a.enumeration, b.enumeration) ||
      (a.expr.type() == ValueType::kBoolean) !=
          (b.expr.type() == ValueType::kBoolean)) {
    context.Fail(span,
                 "'" + spelling + "' cannot compare " + Describe(a) + " with " +
                     Describe(b));
  }
  if (!a.expr.is_scalar() || !b.expr.is_scalar()) {
    context.Fail(span,
                 "'" + spelling + "' compares scalars, not " + Describe(a) +
                     " with " + Describe(b));
  }
  return NumberValue(Relation(op, a.expr, b.expr));
}

Expr ApplyProduct(LoweringContext& context,
                  Expr a,
                  Expr b,
                  const ast::Span& span) {
  if (a.is_scalar() || b.is_scalar()) {
    return a * b;
  }
  const Shape& left = a.shape();
  const Shape& right = b.shape();
  if (left.size() > 2 || right.size() > 2 || left.back() != right.front()) {
    context.Fail(span,
                 "'*' cannot multiply " + Describe(NumberValue(a)) + " with " +
                     Describe(NumberValue(b)),
                 left == right ? "write '.*' to multiply each element" : "");
  }
  ExprGraph& graph = context.session.graph;
  Shape shape(left.begin(), left.end() - 1);
  shape.insert(shape.end(), right.begin() + 1, right.end());
  const std::size_t rows = left.size() - 1;
  return BuildArray(graph, shape, [&](std::span<const Expr> at) {
    const Expr k = graph.Iterator("k", {.count = left.back()});
    std::vector<Expr> of_a(at.begin(),
                           at.begin() + static_cast<std::ptrdiff_t>(rows));
    of_a.push_back(k);
    std::vector<Expr> of_b = {k};
    of_b.insert(
        of_b.end(), at.begin() + static_cast<std::ptrdiff_t>(rows), at.end());
    return graph.Loop(Op::kSum, k, graph.Index(a, of_a) * graph.Index(b, of_b));
  });
}

Expr ApplyPower(LoweringContext& context,
                Expr a,
                Expr b,
                const ast::Span& span) {
  if (!b.is_scalar()) {
    context.Fail(span,
                 "'^' takes a scalar exponent, not " + Describe(NumberValue(b)),
                 "write '.^' to raise each element");
  }
  if (a.is_scalar()) {
    return context.session.graph.Binary(Op::kPower, a, b);
  }
  const Shape& shape = a.shape();
  if (shape.size() != 2 || shape[0] != shape[1] ||
      b.type() != ValueType::kInteger) {
    context.Fail(
        span,
        "'^' raises scalars, and square matrices to Integer powers, not " +
            Describe(NumberValue(a)) + " to " + Describe(NumberValue(b)),
        "write '.^' to raise each element");
  }
  constexpr double kLargestPower = 1000;
  const double power =
      EvaluateOrUnroll(context, b, span, "the exponent of a matrix")[0];
  if (power < 0 || power > kLargestPower) {
    context.Fail(span, "the exponent of a matrix must be between 0 and 1000");
  }
  Expr result;
  Expr square = a;
  for (auto bits = static_cast<std::uint32_t>(power); bits > 0; bits >>= 1U) {
    if ((bits & 1U) != 0) {
      result = result ? ApplyProduct(context, result, square, span) : square;
    }
    if (bits > 1) {
      square = ApplyProduct(context, square, square, span);
    }
  }
  if (result) {
    return result;
  }
  ExprGraph& graph = context.session.graph;
  return BuildArray(graph, shape, [&graph](std::span<const Expr> at) {
    return graph.Select(graph.Binary(Op::kEqual, at[0], at[1]),
                        graph.Constant(1),
                        graph.Constant(0));
  });
}

Value ApplyUnchecked(LoweringContext& context,
                     BinaryOperator op,
                     const Value& a,
                     const Value& b,
                     const ast::Span& span) {
  if (a.record != nullptr || b.record != nullptr) {
    return ApplyBinaryToRecords(context, op, a, b, span);
  }
  if (IsText(a) || IsText(b)) {
    return ApplyToTexts(context, op, a, b, span);
  }
  if (a.is_empty_array && b.is_empty_array) {
    return a;
  }
  if (op == BinaryOperator::kAnd || op == BinaryOperator::kOr) {
    return ApplyLogical(context, op, a, b, span);
  }
  if (op >= BinaryOperator::kLess && op <= BinaryOperator::kNotEqual) {
    return ApplyComparison(context, op, a, b, span);
  }
  const std::string_view spelling = ast::Spelling(op);
  CheckAreNumbers(context, a, spelling, span);
  CheckAreNumbers(context, b, spelling, span);
  const auto elementwise = [&](Op graph_op) {
    if (!a.expr.is_scalar() && !b.expr.is_scalar()) {
      CheckSameShape(context, a.expr, b.expr, spelling, span);
    }
    return NumberValue(context.session.graph.Binary(graph_op, a.expr, b.expr));
  };
  switch (op) {
    case BinaryOperator::kAdd:
    case BinaryOperator::kSubtract:
      CheckSameShape(context, a.expr, b.expr, spelling, span);
      return elementwise(op == BinaryOperator::kAdd ? Op::kAdd : Op::kSubtract);
    case BinaryOperator::kElementAdd:
      return elementwise(Op::kAdd);
    case BinaryOperator::kElementSubtract:
      return elementwise(Op::kSubtract);
    case BinaryOperator::kMultiply:
      return NumberValue(ApplyProduct(context, a.expr, b.expr, span));
    case BinaryOperator::kElementMultiply:
      return elementwise(Op::kMultiply);
    case BinaryOperator::kDivide:
      if (!b.expr.is_scalar()) {
        context.Fail(span,
                     "'/' divides by a scalar, not by " + Describe(b),
                     "write './' to divide by each element");
      }
      return elementwise(Op::kDivide);
    case BinaryOperator::kElementDivide:
      return elementwise(Op::kDivide);
    case BinaryOperator::kElementPower:
      return elementwise(Op::kPower);
    default:
      return NumberValue(ApplyPower(context, a.expr, b.expr, span));
  }
}

}  // namespace

Value LowerUnary(LoweringContext& context,
                 const ast::Unary& unary,
                 const ast::Span& span) {
  Value value = LowerExpression(context, *unary.operand);
  std::string_view op = ast::Spelling(unary.op);
  if (value.record != nullptr) {
    op.remove_prefix(op.starts_with('.') ? 1 : 0);
    return ApplyUnaryToRecords(context, op, value, span);
  }
  if (unary.op == ast::UnaryOperator::kNot) {
    if (!value.is_number() || value.expr.type() != ValueType::kBoolean) {
      context.Fail(span, "'not' takes a Boolean, not " + Describe(value));
    }
    return NumberValue(context.session.graph.Unary(Op::kNot, value.expr));
  }
  if (value.is_empty_array) {
    return value;
  }
  CheckAreNumbers(context, value, op, span);
  const bool is_minus = unary.op == ast::UnaryOperator::kMinus ||
                        unary.op == ast::UnaryOperator::kElementMinus;
  return is_minus ? NumberValue(-value.expr) : value;
}

Value LowerOperation(LoweringContext& context,
                     const ast::Operation& operation,
                     const ast::Span& span) {
  Value value = LowerExpression(context, *operation.first);
  ast::Span so_far = operation.first->span;
  so_far.begin = span.begin;
  for (const ast::OperationStep& step : operation.steps) {
    const bool is_exponent = step.op == BinaryOperator::kPower ||
                             step.op == BinaryOperator::kElementPower;
    const Switched number(context.keeps_constants,
                          context.keeps_constants && !is_exponent);
    const Value operand = LowerExpression(context, *step.operand);
    so_far.end = step.operand->span.end;
    value = ApplyBinary(context, step.op, value, operand, so_far);
  }
  return value;
}

Value ApplyBinary(LoweringContext& context,
                  BinaryOperator op,
                  const Value& a,
                  const Value& b,
                  const ast::Span& span) {
  Value result = ApplyUnchecked(context, op, a, b, span);
  if (IsTooLarge(result)) {
    context.Fail(
        span,
        "this Integer is too large: Integers lie between -2^53 and 2^53",
        "use a Real");
  }
  return result;
}

}  // namespace orrery::modelica::internal
