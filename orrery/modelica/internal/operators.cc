#include <array>
#include <functional>
#include <utility>

#include "orrery/modelica/internal/as_written.h"
#include "orrery/modelica/internal/elementary.h"
#include "orrery/modelica/internal/lowering.h"
#include "orrery/modelica/internal/operator_records.h"

namespace orrery::modelica::internal {

using ast::BinaryOperator;

namespace {

// Whether it is a sum, difference or product of Integer constants that is not
// known for being beyond the Integers.
bool IsTooLarge(const Value& value) {
  return value.is_number() && value.expr.type() == ValueType::kInteger &&
         value.expr.num_operands() == 2 &&
         value.expr.operand(0).is_constant() &&
         value.expr.operand(1).is_constant();
}

}  // namespace

void Lowering::CheckNumbers(const Value& value,
                            std::string_view op,
                            const ast::Span& span) {
  if (!value.is_number() || value.expr.type() == ValueType::kBoolean ||
      value.enumeration != nullptr) {
    Fail(span,
         "'" + std::string(op) + "' takes numbers, not " + Describe(value));
  }
}

void Lowering::CheckSameShape(Expr a,
                              Expr b,
                              std::string_view op,
                              const ast::Span& span) {
  if (a.shape() != b.shape()) {
    const std::string elementwise =
        a.is_scalar() || b.is_scalar()
            ? "write '." + std::string(op) + "' to take each element"
            : "";
    Fail(span,
         "'" + std::string(op) + "' takes operands of one size, not " +
             Describe(NumberValue(a)) + " and " + Describe(NumberValue(b)),
         elementwise);
  }
}

Value Lowering::LowerUnary(const ast::Unary& unary, const ast::Span& span) {
  Value value = Lower(*unary.operand);
  std::string_view op = ast::Spelling(unary.op);
  if (value.record != nullptr) {
    op.remove_prefix(op.starts_with('.') ? 1 : 0);
    return RecordOperators(*this, span).Unary(op, value);
  }
  if (unary.op == ast::UnaryOperator::kNot) {
    if (!value.is_number() || value.expr.type() != ValueType::kBoolean) {
      Fail(span, "'not' takes a Boolean, not " + Describe(value));
    }
    return NumberValue(session_.graph.Unary(Op::kNot, value.expr));
  }
  if (value.is_empty_array) {
    return value;
  }
  CheckNumbers(value, op, span);
  const bool is_minus = unary.op == ast::UnaryOperator::kMinus ||
                        unary.op == ast::UnaryOperator::kElementMinus;
  return is_minus ? NumberValue(-value.expr) : value;
}

Value Lowering::LowerOperation(const ast::Operation& operation,
                               const ast::Span& span) {
  Value value = Lower(*operation.first);
  ast::Span so_far = operation.first->span;
  so_far.begin = span.begin;
  for (const ast::OperationStep& step : operation.steps) {
    const bool is_exponent = step.op == BinaryOperator::kPower ||
                             step.op == BinaryOperator::kElementPower;
    const Switched number(keeps_constants_, keeps_constants_ && !is_exponent);
    const Value operand = Lower(*step.operand);
    so_far.end = step.operand->span.end;
    value = Binary(step.op, value, operand, so_far);
  }
  return value;
}

Value Lowering::BinaryText(BinaryOperator op,
                           const Value& a,
                           const Value& b,
                           const ast::Span& span) {
  if (!IsText(a) || !IsText(b)) {
    Fail(span,
         "'" + std::string(ast::Spelling(op)) + "' cannot join " + Describe(a) +
             " and " + Describe(b));
  }
  const auto truth = [&](const std::function<bool(int)>& test) {
    return NumberValue(Compared(session_.graph, a, b, test));
  };
  constexpr std::size_t kLongest = 1'000'000;
  const auto size_of = [](const Value& text) {  // Of one that is known.
    return text.text ? text.text->size() : 0;
  };
  const std::size_t length = size_of(a) + size_of(b);
  if (op == BinaryOperator::kAdd && length > kLongest) {
    Fail(span,
         "this text has " + std::to_string(length) + " bytes; at most " +
             std::to_string(kLongest) + " are possible");
  }
  switch (op) {
    case BinaryOperator::kAdd:
      return JoinTexts(a, b, span);
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
      Fail(span,
           "'" + std::string(ast::Spelling(op)) + "' does not take Strings");
  }
}

Value Lowering::Logical(BinaryOperator op,
                        const Value& a,
                        const Value& b,
                        const ast::Span& span) {
  const std::string_view spelling = ast::Spelling(op);
  for (const Value* const value : {&a, &b}) {
    if (!value->is_number() || value->expr.type() != ValueType::kBoolean) {
      Fail(span,
           "'" + std::string(spelling) + "' takes Booleans, not " +
               Describe(*value));
    }
  }
  CheckSameShape(a.expr, b.expr, spelling, span);
  return NumberValue(session_.graph.Binary(
      op == BinaryOperator::kAnd ? Op::kAnd : Op::kOr, a.expr, b.expr));
}

Value Lowering::Compare(BinaryOperator op,
                        const Value& a,
                        const Value& b,
                        const ast::Span& span) {
  const std::string spelling(ast::Spelling(op));
  if (!a.is_number() || !b.is_number() || a.enumeration != b.enumeration ||
      (a.expr.type() == ValueType::kBoolean) !=
          (b.expr.type() == ValueType::kBoolean)) {
    Fail(span,
         "'" + spelling + "' cannot compare " + Describe(a) + " with " +
             Describe(b));
  }
  if (!a.expr.is_scalar() || !b.expr.is_scalar()) {
    Fail(span,
         "'" + spelling + "' compares scalars, not " + Describe(a) + " with " +
             Describe(b));
  }
  return NumberValue(Relation(op, a.expr, b.expr));
}

Value Lowering::Binary(BinaryOperator op,
                       const Value& a,
                       const Value& b,
                       const ast::Span& span) {
  Value result = BinaryNumbers(op, a, b, span);
  if (IsTooLarge(result)) {
    Fail(span,
         "this Integer is too large: Integers lie between -2^53 and 2^53",
         "use a Real");
  }
  return result;
}

Value Lowering::BinaryNumbers(BinaryOperator op,
                              const Value& a,
                              const Value& b,
                              const ast::Span& span) {
  if (a.record != nullptr || b.record != nullptr) {
    return RecordOperators(*this, span).Binary(op, a, b);
  }
  if (IsText(a) || IsText(b)) {
    return BinaryText(op, a, b, span);
  }
  if (a.is_empty_array && b.is_empty_array) {
    return a;
  }
  if (op == BinaryOperator::kAnd || op == BinaryOperator::kOr) {
    return Logical(op, a, b, span);
  }
  if (op >= BinaryOperator::kLess && op <= BinaryOperator::kNotEqual) {
    return Compare(op, a, b, span);
  }
  const std::string_view spelling = ast::Spelling(op);
  CheckNumbers(a, spelling, span);
  CheckNumbers(b, spelling, span);
  const auto elementwise = [&](Op graph_op) {
    if (!a.expr.is_scalar() && !b.expr.is_scalar()) {
      CheckSameShape(a.expr, b.expr, spelling, span);
    }
    return NumberValue(session_.graph.Binary(graph_op, a.expr, b.expr));
  };
  switch (op) {
    case BinaryOperator::kAdd:
    case BinaryOperator::kSubtract:
      CheckSameShape(a.expr, b.expr, spelling, span);
      return elementwise(op == BinaryOperator::kAdd ? Op::kAdd : Op::kSubtract);
    case BinaryOperator::kElementAdd:
      return elementwise(Op::kAdd);
    case BinaryOperator::kElementSubtract:
      return elementwise(Op::kSubtract);
    case BinaryOperator::kMultiply:
      return NumberValue(Multiply(a.expr, b.expr, span));
    case BinaryOperator::kElementMultiply:
      return elementwise(Op::kMultiply);
    case BinaryOperator::kDivide:
      if (!b.expr.is_scalar()) {
        Fail(span,
             "'/' divides by a scalar, not by " + Describe(b),
             "write './' to divide by each element");
      }
      return elementwise(Op::kDivide);
    case BinaryOperator::kElementDivide:
      return elementwise(Op::kDivide);
    case BinaryOperator::kElementPower:
      return elementwise(Op::kPower);
    default:
      return NumberValue(Power(a.expr, b.expr, span));
  }
}

Expr Lowering::Multiply(Expr a, Expr b, const ast::Span& span) {
  if (a.is_scalar() || b.is_scalar()) {
    return a * b;
  }
  const Shape& left = a.shape();
  const Shape& right = b.shape();
  if (left.size() > 2 || right.size() > 2 || left.back() != right.front()) {
    Fail(span,
         "'*' cannot multiply " + Describe(NumberValue(a)) + " with " +
             Describe(NumberValue(b)),
         left == right ? "write '.*' to multiply each element" : "");
  }
  ExprGraph& graph = session_.graph;
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

Expr Lowering::Power(Expr a, Expr b, const ast::Span& span) {
  if (!b.is_scalar()) {
    Fail(span,
         "'^' takes a scalar exponent, not " + Describe(NumberValue(b)),
         "write '.^' to raise each element");
  }
  if (a.is_scalar()) {
    return session_.graph.Binary(Op::kPower, a, b);
  }
  const Shape& shape = a.shape();
  if (shape.size() != 2 || shape[0] != shape[1] ||
      b.type() != ValueType::kInteger) {
    Fail(span,
         "'^' raises scalars, and square matrices to Integer powers, not " +
             Describe(NumberValue(a)) + " to " + Describe(NumberValue(b)),
         "write '.^' to raise each element");
  }
  constexpr double kLargestPower = 1000;
  const double power = Constant(b, span, "the exponent of a matrix")[0];
  if (power < 0 || power > kLargestPower) {
    Fail(span, "the exponent of a matrix must be between 0 and 1000");
  }
  Expr result;
  Expr square = a;
  for (auto bits = static_cast<std::uint32_t>(power); bits > 0; bits >>= 1U) {
    if ((bits & 1U) != 0) {
      result = result ? Multiply(result, square, span) : square;
    }
    if (bits > 1) {
      square = Multiply(square, square, span);
    }
  }
  if (result) {
    return result;
  }
  ExprGraph& graph = session_.graph;
  return BuildArray(graph, shape, [&graph](std::span<const Expr> at) {
    return graph.Select(graph.Binary(Op::kEqual, at[0], at[1]),
                        graph.Constant(1),
                        graph.Constant(0));
  });
}

}  // namespace orrery::modelica::internal
