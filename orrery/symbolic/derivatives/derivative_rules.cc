#include "orrery/symbolic/derivatives/derivative_rules.h"

#include <cmath>
#include <numbers>

#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/rebuild.h"

namespace orrery::symbolic::internal {
namespace {

bool IsZero(Expr a) noexcept {
  return a.is_constant(0);
}

Expr Zero(Expr any) {
  return any.graph().Constant(0);
}

// factor * tangent.
Expr Scaled(Expr factor, Expr tangent) {
  return IsZero(tangent) ? tangent : factor * tangent;
}

Expr Sum(Expr a, Expr b) {
  if (IsZero(a)) {
    return b;
  }
  return IsZero(b) ? a : a + b;
}

Expr Difference(Expr a, Expr b) {
  if (IsZero(b)) {
    return a;
  }
  return IsZero(a) ? -b : a - b;
}

Expr Square(Expr a) {
  return pow(a, 2.0);
}

Expr Chosen(Expr condition, Expr if_true, Expr if_false) {
  return IsZero(if_true) && IsZero(if_false)
             ? if_true
             : select(condition, if_true, if_false);
}

// Returns d node / d operand, to be multiplied by the operand's tangent.
Expr UnaryFactor(Expr node) {
  const Expr a = node.operand(0);
  switch (node.op()) {
    case Op::kAbs:
      return sign(a);
    case Op::kSqrt:
      return 0.5 / node;
    case Op::kExp:
      return node;
    case Op::kLog:
      return 1.0 / a;
    case Op::kLog10:
      return 1.0 / (std::numbers::ln10 * a);
    case Op::kSin:
      return cos(a);
    case Op::kCos:
      return -sin(a);
    case Op::kTan:
      return 1.0 + Square(node);
    case Op::kAsin:
      return 1.0 / sqrt(1.0 - Square(a));
    case Op::kAcos:
      return -1.0 / sqrt(1.0 - Square(a));
    case Op::kAtan:
      return 1.0 / (1.0 + Square(a));
    case Op::kSinh:
      return cosh(a);
    case Op::kCosh:
      return sinh(a);
    default:  // kTanh.
      return 1.0 - Square(node);
  }
}

Expr DifferentiateUnary(Expr node, Expr tangent) {
  switch (node.op()) {
    case Op::kNegate:
      return IsZero(tangent) ? tangent : -tangent;
    case Op::kNot:
    case Op::kSign:
    case Op::kFloor:
    case Op::kCeil:
      return Zero(node);
    default:
      return IsZero(tangent) ? tangent : Scaled(UnaryFactor(node), tangent);
  }
}

// d(a^b) = b a^(b-1) da + a^b log(a) db. The last term is 0 at a = 0, where a^b
// is 0 for all b > 0.
Expr DifferentiatePower(Expr node, Expr da, Expr db) {
  const Expr a = node.operand(0);
  const Expr b = node.operand(1);
  const Expr by_base = IsZero(da) ? da : Scaled(b * pow(a, b - 1.0), da);
  if (IsZero(db)) {
    return by_base;
  }
  const Expr slope = select(Equal(a, 0), 0.0, node * log(a));
  return Sum(by_base, Scaled(slope, db));
}

// True if `u` is a factor of `a`.
bool IsMultiple(Expr a, Expr u) {
  if (a == u) {
    return true;
  }
  switch (a.op()) {
    case Op::kNegate:
    case Op::kDivide:
      return IsMultiple(a.operand(0), u);
    case Op::kMultiply:
      return IsMultiple(a.operand(0), u) || IsMultiple(a.operand(1), u);
    default:
      return false;
  }
}

// Returns a db. If a is c u and b is sqrt(u), as in Hertz' law of contact, it
// is 0 at u = 0 although b is steep there.
Expr ScaledFactor(Expr a, Expr b, Expr db) {
  const Expr scaled = Scaled(a, db);
  const bool is_calm = b.op() == Op::kSqrt && IsMultiple(a, b.operand(0));
  return is_calm && !IsZero(db) ? select(Equal(b, 0), 0.0, scaled) : scaled;
}

Expr DifferentiateBinary(Expr node, Expr da, Expr db) {
  const Expr a = node.operand(0);
  const Expr b = node.operand(1);
  switch (node.op()) {
    case Op::kAdd:
      return Sum(da, db);
    case Op::kSubtract:
      return Difference(da, db);
    case Op::kMultiply:
      return Sum(ScaledFactor(b, a, da), ScaledFactor(a, b, db));
    case Op::kDivide:
      return Difference(da, Scaled(node, db)) / b;
    case Op::kPower:
      return DifferentiatePower(node, da, db);
    case Op::kAtan2:
      return Difference(Scaled(b, da), Scaled(a, db)) / (Square(a) + Square(b));
    case Op::kMin:
      return Chosen(Less(a, b), da, db);
    case Op::kMax:
      return Chosen(Less(b, a), da, db);
    case Op::kMod:
      return Difference(da, IsZero(db) ? db : Scaled(floor(a / b), db));
    case Op::kRem:
      return Difference(da, IsZero(db) ? db : Scaled(div(a, b), db));
    default:  // Comparisons, logic, div.
      return Zero(node);
  }
}

}  // namespace

Expr DifferentiateOp(Expr node, std::span<const Expr> tangents) {
  bool is_constant = true;
  for (const Expr& tangent : tangents) {
    is_constant = is_constant && IsZero(tangent);
  }
  if (is_constant) {
    return Zero(node);
  }
  switch (tangents.size()) {
    case 1:
      return DifferentiateUnary(node, tangents[0]);
    case 2:
      return DifferentiateBinary(node, tangents[0], tangents[1]);
    default:
      return Chosen(node.operand(0), tangents[1], tangents[2]);
  }
}

Expr WithShapeOf(Expr node, Expr tangent) {
  return tangent.is_scalar() && !IsZero(tangent)
             ? Broadcast(tangent, node.shape())
             : tangent;
}

}  // namespace orrery::symbolic::internal
