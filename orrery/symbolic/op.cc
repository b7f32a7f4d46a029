#include "orrery/symbolic/op.h"

#include <sleef.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace orrery {
namespace {

struct OpInfo {
  Op op;
  std::string_view name;
  int elementwise_operands;
};

constexpr std::array<OpInfo, kNumOps> kOps = {{
    {Op::kConstant, "constant", 0},
    {Op::kArrayConstant, "array constant", 0},
    {Op::kSymbol, "symbol", 0},
    {Op::kIterator, "iterator", 0},
    {Op::kNegate, "negate", 1},
    {Op::kNot, "not", 1},
    {Op::kAbs, "abs", 1},
    {Op::kSign, "sign", 1},
    {Op::kSqrt, "sqrt", 1},
    {Op::kExp, "exp", 1},
    {Op::kLog, "log", 1},
    {Op::kLog10, "log10", 1},
    {Op::kSin, "sin", 1},
    {Op::kCos, "cos", 1},
    {Op::kTan, "tan", 1},
    {Op::kAsin, "asin", 1},
    {Op::kAcos, "acos", 1},
    {Op::kAtan, "atan", 1},
    {Op::kSinh, "sinh", 1},
    {Op::kCosh, "cosh", 1},
    {Op::kTanh, "tanh", 1},
    {Op::kFloor, "floor", 1},
    {Op::kCeil, "ceil", 1},
    {Op::kAdd, "add", 2},
    {Op::kSubtract, "subtract", 2},
    {Op::kMultiply, "multiply", 2},
    {Op::kDivide, "divide", 2},
    {Op::kPower, "power", 2},
    {Op::kAtan2, "atan2", 2},
    {Op::kMin, "min", 2},
    {Op::kMax, "max", 2},
    {Op::kMod, "mod", 2},
    {Op::kRem, "rem", 2},
    {Op::kQuotient, "div", 2},
    {Op::kLess, "less", 2},
    {Op::kLessEqual, "less or equal", 2},
    {Op::kEqual, "equal", 2},
    {Op::kNotEqual, "not equal", 2},
    {Op::kAnd, "and", 2},
    {Op::kOr, "or", 2},
    {Op::kSelect, "select", 3},
    {Op::kMakeArray, "array", 0},
    {Op::kIndex, "index", 0},
    {Op::kBuild, "build", 0},
    {Op::kSum, "sum", 0},
    {Op::kProduct, "product", 0},
    {Op::kMinimum, "minimum", 0},
    {Op::kMaximum, "maximum", 0},
    {Op::kCall, "call", 0},
    {Op::kOutput, "output", 0},
    {Op::kOpaque, "opaque call", 0},
    {Op::kDer, "der", 0},
    {Op::kPre, "pre", 0},
    {Op::kNoEvent, "noEvent", 0},
    {Op::kSample, "sample", 0},
    {Op::kDelay, "delay", 0},
}};

constexpr bool IsInOrder() {
  for (std::size_t i = 0; i < kOps.size(); ++i) {
    if (kOps[i].op != static_cast<Op>(i)) {
      return false;
    }
  }
  return true;
}

static_assert(IsInOrder());

double Power(double base, double exponent) noexcept {
  const double rounded = std::trunc(exponent);
  if (rounded == exponent && std::abs(exponent) <= kMaxMultipliedPower) {
    return PowerByMultiplication(base, static_cast<int>(exponent));
  }
  return Sleef_cinz_powd1_u10purec(base, exponent);
}

double EvaluateUnary(Op op, double a) noexcept {
  switch (op) {
    case Op::kNegate:
      return -a;
    case Op::kNot:
      return a == 0 ? 1 : 0;
    case Op::kAbs:
      return std::abs(a);
    case Op::kSign:
      return a > 0 ? 1 : (a < 0 ? -1 : a);  // Keeps NaN.
    case Op::kSqrt:
      return std::sqrt(a);
    case Op::kExp:
      return Sleef_cinz_expd1_u10purec(a);
    case Op::kLog:
      return Sleef_cinz_logd1_u10purec(a);
    case Op::kLog10:
      return Sleef_cinz_log10d1_u10purec(a);
    case Op::kSin:
      return Sleef_cinz_sind1_u10purec(a);
    case Op::kCos:
      return Sleef_cinz_cosd1_u10purec(a);
    case Op::kTan:
      return Sleef_cinz_tand1_u10purec(a);
    case Op::kAsin:
      return Sleef_cinz_asind1_u10purec(a);
    case Op::kAcos:
      return Sleef_cinz_acosd1_u10purec(a);
    case Op::kAtan:
      return Sleef_cinz_atand1_u10purec(a);
    case Op::kSinh:
      return Sleef_cinz_sinhd1_u10purec(a);
    case Op::kCosh:
      return Sleef_cinz_coshd1_u10purec(a);
    case Op::kTanh:
      return Sleef_cinz_tanhd1_u10purec(a);
    case Op::kFloor:
      return std::floor(a);
    default:
      return std::ceil(a);
  }
}

double EvaluateBinary(Op op, double a, double b) noexcept {
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSubtract:
      return a - b;
    case Op::kMultiply:
      return a * b;
    case Op::kDivide:
      return a / b;
    case Op::kPower:
      return Power(a, b);
    case Op::kAtan2:
      return Sleef_cinz_atan2d1_u10purec(a, b);
    case Op::kMin:
      return a < b ? a : b;
    case Op::kMax:
      return a > b ? a : b;
    case Op::kMod:
      return a - std::floor(a / b) * b;
    case Op::kRem:
      return a - std::trunc(a / b) * b;
    case Op::kQuotient:
      return std::trunc(a / b);
    case Op::kLess:
      return a < b ? 1 : 0;
    case Op::kLessEqual:
      return a <= b ? 1 : 0;
    case Op::kEqual:
      return a == b ? 1 : 0;
    case Op::kNotEqual:
      return a != b ? 1 : 0;
    case Op::kAnd:
      return a != 0 && b != 0 ? 1 : 0;
    default:
      return a != 0 || b != 0 ? 1 : 0;
  }
}

}  // namespace

int ElementwiseOperands(Op op) noexcept {
  return kOps[static_cast<std::size_t>(op)].elementwise_operands;
}

std::string_view OpName(Op op) noexcept {
  return kOps[static_cast<std::size_t>(op)].name;
}

double EvaluateOp(Op op, double a, double b, double c) noexcept {
  if (op == Op::kSelect) {
    return a != 0 ? b : c;
  }
  return op < Op::kAdd ? EvaluateUnary(op, a) : EvaluateBinary(op, a, b);
}

double PowerByMultiplication(double x, int n) noexcept {
  double result = 1;
  double square = x;
  for (unsigned bits = static_cast<unsigned>(std::abs(n)); bits != 0;) {
    if ((bits & 1U) != 0) {
      result *= square;
    }
    bits >>= 1U;
    if (bits != 0) {
      square *= square;
    }
  }
  return n < 0 ? 1 / result : result;
}

}  // namespace orrery
