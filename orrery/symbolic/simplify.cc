#include "orrery/symbolic/simplify.h"

namespace orrery::symbolic::internal {
namespace {

// True if an operation on `kept` and `dropped` has the shape of `kept`.
bool GivesShape(Expr kept, Expr dropped) noexcept {
  return dropped.is_scalar() || kept.shape() == dropped.shape();
}

bool IsNegated(Expr a) noexcept {
  return a.op() == Op::kNegate;
}

Expr SimplifyAdd(Expr a, Expr b) {
  if (b.is_constant(0)) {
    return a;
  }
  if (a.is_constant(0)) {
    return b;
  }
  if (IsNegated(b)) {
    return a - b.operand(0);
  }
  return IsNegated(a) ? b - a.operand(0) : Expr{};
}

Expr SimplifySubtract(Expr a, Expr b) {
  if (b.is_constant(0)) {
    return a;
  }
  if (a.is_constant(0)) {
    return -b;
  }
  if (a == b && a.is_scalar()) {
    return a.graph().Constant(0, a.type());
  }
  return IsNegated(b) ? a + b.operand(0) : Expr{};
}

// Simplifies a product of a scalar, `constant`, and any `other`.
Expr SimplifyScaled(Expr constant, Expr other, ValueType type) {
  if (constant.is_constant(0) && other.is_scalar()) {
    return other.graph().Constant(0, type);
  }
  if (constant.is_constant(1)) {
    return other;
  }
  return constant.is_constant(-1) ? -other : Expr{};
}

Expr SimplifyMultiply(Expr a, Expr b, ValueType type) {
  if (const Expr simpler = SimplifyScaled(a, b, type)) {
    return simpler;
  }
  if (const Expr simpler = SimplifyScaled(b, a, type)) {
    return simpler;
  }
  if (IsNegated(a) && IsNegated(b)) {
    return a.operand(0) * b.operand(0);
  }
  if (IsNegated(a)) {
    return -(a.operand(0) * b);
  }
  return IsNegated(b) ? -(a * b.operand(0)) : Expr{};
}

Expr SimplifyDivide(Expr a, Expr b) {
  if (b.is_constant(1)) {
    return a;
  }
  if (b.is_constant(-1)) {
    return -a;
  }
  if (a.is_constant(0) && b.is_scalar() && !b.is_constant(0)) {
    return a.graph().Constant(0);
  }
  if (IsNegated(a) && IsNegated(b)) {
    return a.operand(0) / b.operand(0);
  }
  if (IsNegated(a)) {
    return -(a.operand(0) / b);
  }
  return IsNegated(b) ? -(a / b.operand(0)) : Expr{};
}

Expr SimplifyPower(Expr a, Expr b) {
  if (b.is_constant(1)) {
    return a;
  }
  return b.is_constant(0) && a.is_scalar() ? a.graph().Constant(1) : Expr{};
}

// `absorbing` decides the result alone; its negation has no effect.
Expr SimplifyLogical(Expr a, Expr b, double absorbing) {
  if (a == b) {
    return a;
  }
  if (a.is_constant()) {
    const Expr result = a.is_constant(absorbing) ? a : b;
    return GivesShape(result, result == a ? b : a) ? result : Expr{};
  }
  if (b.is_constant()) {
    const Expr result = b.is_constant(absorbing) ? b : a;
    return GivesShape(result, result == b ? a : b) ? result : Expr{};
  }
  return {};
}

}  // namespace

Expr SimplifyUnary(Op op, Expr a) {
  switch (op) {
    case Op::kNegate:
      if (IsNegated(a)) {
        return a.operand(0);
      }
      return a.op() == Op::kSubtract ? a.operand(1) - a.operand(0) : Expr{};
    case Op::kNot:
      return a.op() == Op::kNot ? a.operand(0) : Expr{};
    case Op::kAbs:
      if (a.op() == Op::kAbs) {
        return a;
      }
      return IsNegated(a) ? a.graph().Unary(Op::kAbs, a.operand(0)) : Expr{};
    case Op::kFloor:
    case Op::kCeil:
      return a.op() == Op::kFloor || a.op() == Op::kCeil ? a : Expr{};
    default:
      return {};
  }
}

Expr SimplifyBinary(Op op, Expr a, Expr b, ValueType type) {
  switch (op) {
    case Op::kAdd:
      return SimplifyAdd(a, b);
    case Op::kSubtract:
      return SimplifySubtract(a, b);
    case Op::kMultiply:
      return SimplifyMultiply(a, b, type);
    case Op::kDivide:
      return SimplifyDivide(a, b);
    case Op::kPower:
      return SimplifyPower(a, b);
    case Op::kMin:
    case Op::kMax:
      return a == b ? a : Expr{};
    case Op::kAnd:
      return SimplifyLogical(a, b, 0);
    case Op::kOr:
      return SimplifyLogical(a, b, 1);
    default:
      return {};
  }
}

Expr SimplifySelect(Expr condition, Expr if_true, Expr if_false) {
  if (condition.is_constant()) {
    const bool is_true = condition.value() != 0;
    const Expr taken = is_true ? if_true : if_false;
    return GivesShape(taken, is_true ? if_false : if_true) ? taken : Expr{};
  }
  return if_true == if_false && GivesShape(if_true, condition) ? if_true
                                                               : Expr{};
}

}  // namespace orrery::symbolic::internal
