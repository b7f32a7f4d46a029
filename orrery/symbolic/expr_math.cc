#include "orrery/symbolic/expr_math.h"

namespace orrery {

Expr abs(Expr a) {
  return a.graph().Unary(Op::kAbs, a);
}

Expr sign(Expr a) {
  return a.graph().Unary(Op::kSign, a);
}

Expr sqrt(Expr a) {
  return a.graph().Unary(Op::kSqrt, a);
}

Expr exp(Expr a) {
  return a.graph().Unary(Op::kExp, a);
}

Expr log(Expr a) {
  return a.graph().Unary(Op::kLog, a);
}

Expr log10(Expr a) {
  return a.graph().Unary(Op::kLog10, a);
}

Expr sin(Expr a) {
  return a.graph().Unary(Op::kSin, a);
}

Expr cos(Expr a) {
  return a.graph().Unary(Op::kCos, a);
}

Expr tan(Expr a) {
  return a.graph().Unary(Op::kTan, a);
}

Expr asin(Expr a) {
  return a.graph().Unary(Op::kAsin, a);
}

Expr acos(Expr a) {
  return a.graph().Unary(Op::kAcos, a);
}

Expr atan(Expr a) {
  return a.graph().Unary(Op::kAtan, a);
}

Expr sinh(Expr a) {
  return a.graph().Unary(Op::kSinh, a);
}

Expr cosh(Expr a) {
  return a.graph().Unary(Op::kCosh, a);
}

Expr tanh(Expr a) {
  return a.graph().Unary(Op::kTanh, a);
}

Expr floor(Expr a) {
  return a.graph().Unary(Op::kFloor, a);
}

Expr ceil(Expr a) {
  return a.graph().Unary(Op::kCeil, a);
}

Expr pow(Expr base, Expr exponent) {
  return base.graph().Binary(Op::kPower, base, exponent);
}

Expr pow(Expr base, double exponent) {
  return base.graph().Binary(Op::kPower, base, base.graph().Constant(exponent));
}

Expr pow(double base, Expr exponent) {
  return exponent.graph().Binary(
      Op::kPower, exponent.graph().Constant(base), exponent);
}

Expr atan2(Expr y, Expr x) {
  return y.graph().Binary(Op::kAtan2, y, x);
}

Expr min(Expr a, Expr b) {
  return a.graph().Binary(Op::kMin, a, b);
}

Expr min(Expr a, double b) {
  return a.graph().Binary(Op::kMin, a, a.graph().Constant(b));
}

Expr min(double a, Expr b) {
  return b.graph().Binary(Op::kMin, b.graph().Constant(a), b);
}

Expr max(Expr a, Expr b) {
  return a.graph().Binary(Op::kMax, a, b);
}

Expr max(Expr a, double b) {
  return a.graph().Binary(Op::kMax, a, a.graph().Constant(b));
}

Expr max(double a, Expr b) {
  return b.graph().Binary(Op::kMax, b.graph().Constant(a), b);
}

Expr mod(Expr a, Expr b) {
  return a.graph().Binary(Op::kMod, a, b);
}

Expr mod(Expr a, double b) {
  return a.graph().Binary(Op::kMod, a, a.graph().Constant(b));
}

Expr rem(Expr a, Expr b) {
  return a.graph().Binary(Op::kRem, a, b);
}

Expr rem(Expr a, double b) {
  return a.graph().Binary(Op::kRem, a, a.graph().Constant(b));
}

Expr div(Expr a, Expr b) {
  return a.graph().Binary(Op::kQuotient, a, b);
}

Expr div(Expr a, double b) {
  return a.graph().Binary(Op::kQuotient, a, a.graph().Constant(b));
}

Expr select(Expr condition, Expr if_true, Expr if_false) {
  return condition.graph().Select(condition, if_true, if_false);
}

Expr select(Expr condition, Expr if_true, double if_false) {
  return select(condition, if_true, condition.graph().Constant(if_false));
}

Expr select(Expr condition, double if_true, Expr if_false) {
  return select(condition, condition.graph().Constant(if_true), if_false);
}

Expr select(Expr condition, double if_true, double if_false) {
  return select(condition, condition.graph().Constant(if_true), if_false);
}

Expr Less(Expr a, Expr b) {
  return a.graph().Binary(Op::kLess, a, b);
}

Expr Less(Expr a, double b) {
  return a.graph().Binary(Op::kLess, a, a.graph().Constant(b));
}

Expr Less(double a, Expr b) {
  return b.graph().Binary(Op::kLess, b.graph().Constant(a), b);
}

Expr LessEqual(Expr a, Expr b) {
  return a.graph().Binary(Op::kLessEqual, a, b);
}

Expr LessEqual(Expr a, double b) {
  return a.graph().Binary(Op::kLessEqual, a, a.graph().Constant(b));
}

Expr LessEqual(double a, Expr b) {
  return b.graph().Binary(Op::kLessEqual, b.graph().Constant(a), b);
}

Expr Greater(Expr a, Expr b) {
  return a.graph().Binary(Op::kLess, b, a);
}

Expr Greater(Expr a, double b) {
  return a.graph().Binary(Op::kLess, a.graph().Constant(b), a);
}

Expr GreaterEqual(Expr a, Expr b) {
  return a.graph().Binary(Op::kLessEqual, b, a);
}

Expr GreaterEqual(Expr a, double b) {
  return a.graph().Binary(Op::kLessEqual, a.graph().Constant(b), a);
}

Expr Equal(Expr a, Expr b) {
  return a.graph().Binary(Op::kEqual, a, b);
}

Expr Equal(Expr a, double b) {
  return a.graph().Binary(Op::kEqual, a, a.graph().Constant(b));
}

Expr NotEqual(Expr a, Expr b) {
  return a.graph().Binary(Op::kNotEqual, a, b);
}

Expr NotEqual(Expr a, double b) {
  return a.graph().Binary(Op::kNotEqual, a, a.graph().Constant(b));
}

Expr And(Expr a, Expr b) {
  return a.graph().Binary(Op::kAnd, a, b);
}

Expr Or(Expr a, Expr b) {
  return a.graph().Binary(Op::kOr, a, b);
}

Expr Not(Expr a) {
  return a.graph().Unary(Op::kNot, a);
}

}  // namespace orrery
