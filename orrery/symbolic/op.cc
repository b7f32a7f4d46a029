#include "orrery/symbolic/op.h"

#include <sleef.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "orrery/base/numbers/elementary.h"

namespace orrery {
namespace {

struct OpInfo {
  Op op;
  std::string_view name;
};

constexpr std::array<OpInfo, kNumOps> kOps = {{
    {Op::kConstant, "constant"},
    {Op::kArrayConstant, "array constant"},
    {Op::kSymbol, "symbol"},
    {Op::kIterator, "iterator"},
    {Op::kNegate, "negate"},
    {Op::kNot, "not"},
    {Op::kAbs, "abs"},
    {Op::kSign, "sign"},
    {Op::kSqrt, "sqrt"},
    {Op::kExp, "exp"},
    {Op::kLog, "log"},
    {Op::kLog10, "log10"},
    {Op::kSin, "sin"},
    {Op::kCos, "cos"},
    {Op::kTan, "tan"},
    {Op::kAsin, "asin"},
    {Op::kAcos, "acos"},
    {Op::kAtan, "atan"},
    {Op::kSinh, "sinh"},
    {Op::kCosh, "cosh"},
    {Op::kTanh, "tanh"},
    {Op::kFloor, "floor"},
    {Op::kCeil, "ceil"},
    {Op::kAdd, "add"},
    {Op::kSubtract, "subtract"},
    {Op::kMultiply, "multiply"},
    {Op::kDivide, "divide"},
    {Op::kPower, "power"},
    {Op::kAtan2, "atan2"},
    {Op::kMin, "min"},
    {Op::kMax, "max"},
    {Op::kMod, "mod"},
    {Op::kRem, "rem"},
    {Op::kQuotient, "div"},
    {Op::kLess, "less"},
    {Op::kLessEqual, "less or equal"},
    {Op::kEqual, "equal"},
    {Op::kNotEqual, "not equal"},
    {Op::kAnd, "and"},
    {Op::kOr, "or"},
    {Op::kSelect, "select"},
    {Op::kMultiplyAdd, "multiply and add"},
    {Op::kMultiplySubtract, "multiply and subtract"},
    {Op::kSubtractProduct, "subtract a product"},
    {Op::kMakeArray, "array"},
    {Op::kIndex, "index"},
    {Op::kBuild, "build"},
    {Op::kSum, "sum"},
    {Op::kProduct, "product"},
    {Op::kMinimum, "minimum"},
    {Op::kMaximum, "maximum"},
    {Op::kCall, "call"},
    {Op::kOutput, "output"},
    {Op::kOpaque, "opaque call"},
    {Op::kDer, "der"},
    {Op::kPre, "pre"},
    {Op::kNoEvent, "noEvent"},
    {Op::kSample, "sample"},
    {Op::kDelay, "delay"},
    {Op::kTransport, "spatialDistribution"},
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
  if (!IsMultipliedPower(exponent)) {
    return OfOne<Sleef_cinz_powd2_u10sse2>(base, exponent);
  }
  const double size = std::abs(exponent);
  const auto whole = static_cast<unsigned>(size);
  double result = 1;
  double square = base;
  for (unsigned bits = whole; bits != 0;) {
    if ((bits & 1U) != 0) {
      result *= square;
    }
    bits >>= 1U;
    if (bits != 0) {
      square *= square;
    }
  }
  if (size != whole) {
    result *= std::sqrt(base);
  }
  return exponent < 0 ? 1 / result : result;
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
      return OfOne<Sleef_cinz_expd2_u10sse2>(a);
    case Op::kLog:
      return OfOne<Sleef_cinz_logd2_u10sse2>(a);
    case Op::kLog10:
      return OfOne<Sleef_cinz_log10d2_u10sse2>(a);
    case Op::kSin:
      return OfOne<Sleef_cinz_sind2_u10sse2>(a);
    case Op::kCos:
      return OfOne<Sleef_cinz_cosd2_u10sse2>(a);
    case Op::kTan:
      return OfOne<Sleef_cinz_tand2_u10sse2>(a);
    case Op::kAsin:
      return OfOne<Sleef_cinz_asind2_u10sse2>(a);
    case Op::kAcos:
      return OfOne<Sleef_cinz_acosd2_u10sse2>(a);
    case Op::kAtan:
      return OfOne<Sleef_cinz_atand2_u10sse2>(a);
    case Op::kSinh:
      return OfOne<Sleef_cinz_sinhd2_u10sse2>(a);
    case Op::kCosh:
      return OfOne<Sleef_cinz_coshd2_u10sse2>(a);
    case Op::kTanh:
      return OfOne<Sleef_cinz_tanhd2_u10sse2>(a);
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
      return OfOne<Sleef_cinz_atan2d2_u10sse2>(a, b);
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

double EvaluateTernary(Op op, double a, double b, double c) noexcept {
  switch (op) {
    case Op::kSelect:
      return a != 0 ? b : c;
    case Op::kMultiplyAdd:
      return std::fma(a, b, c);
    case Op::kMultiplySubtract:
      return std::fma(a, b, -c);
    default:
      return std::fma(-a, b, c);
  }
}

}  // namespace

std::string_view OpName(Op op) noexcept {
  return kOps[static_cast<std::size_t>(op)].name;
}

double EvaluateOp(Op op, double a, double b, double c) noexcept {
  switch (ElementwiseOperands(op)) {
    case 1:
      return EvaluateUnary(op, a);
    case 2:
      return EvaluateBinary(op, a, b);
    default:
      return EvaluateTernary(op, a, b, c);
  }
}

}  // namespace orrery
