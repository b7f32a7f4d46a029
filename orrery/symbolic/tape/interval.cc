#include "orrery/symbolic/tape/interval.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "orrery/base/numbers/non_finite.h"

namespace orrery {
namespace {

constexpr Interval kZero = Interval::Point(0);
constexpr Interval kOne = Interval::Point(1);

// Beyond this, rounding errors of the argument exceed a period.
constexpr double kLargestAngle = 1e8;

// Moves the computed ends outward by more than their rounding errors: one unit
// in the last place for the arithmetic and the elementary functions.
Interval Outward(double lower, double upper) noexcept {
  if (!(lower <= upper)) {  // NaN included.
    return Interval::Entire();
  }
  constexpr double kRounding = 2 * std::numeric_limits<double>::epsilon();
  constexpr double kLargest = std::numeric_limits<double>::max();
  lower = std::min(lower, kLargest);
  upper = std::max(upper, -kLargest);
  return {lower - std::abs(lower) * kRounding,
          upper + std::abs(upper) * kRounding};
}

Interval Corners(std::initializer_list<double> values) noexcept {
  for (const double value : values) {
    if (std::isnan(value)) {
      return Interval::Entire();
    }
  }
  return Outward(std::min(values), std::max(values));
}

Interval Truth(bool may_be_false, bool may_be_true) noexcept {
  return {may_be_false ? 0.0 : 1.0, may_be_true ? 1.0 : 0.0};
}

bool MayBeTrue(Interval a) noexcept {
  return a != kZero;
}

bool MayBeFalse(Interval a) noexcept {
  return a.Contains(0);
}

Interval Apply(Op op, Interval a) noexcept {
  return BoundOp(op, a, kZero, kZero);
}

Interval Apply(Op op, Interval a, Interval b) noexcept {
  return BoundOp(op, a, b, kZero);
}

// The sum of points is a point.
Interval Sum(Interval a, double lower, double upper) noexcept {
  const Interval sum = {a.lower + lower, a.upper + upper};
  const bool is_point = a.is_point() && lower == upper;
  return is_point && !std::isnan(sum.lower) ? sum
                                            : Outward(sum.lower, sum.upper);
}

Interval operator+(Interval a, Interval b) noexcept {
  return Sum(a, b.lower, b.upper);
}

Interval operator-(Interval a, Interval b) noexcept {
  return Sum(a, -b.upper, -b.lower);
}

Interval operator*(Interval a, Interval b) noexcept {
  return Apply(Op::kMultiply, a, b);
}

Interval operator/(Interval a, Interval b) noexcept {
  return Apply(Op::kDivide, a, b);
}

Interval operator-(Interval a) noexcept {
  return {-a.upper, -a.lower};
}

// Bounds a function that rises all over its domain [least, most].
Interval Rising(Op op, Interval a, double least, double most) noexcept {
  const double lower = std::max(a.lower, least);
  const double upper = std::min(a.upper, most);
  if (lower > upper) {
    return Interval::Entire();
  }
  return Outward(EvaluateOp(op, lower, 0, 0), EvaluateOp(op, upper, 0, 0));
}

// True if phase + k * period lies in `a` for a whole number k.
bool MeetsPeriodically(Interval a, double phase, double period) noexcept {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  const double first = (a.lower - phase) / period;
  const double last = (a.upper - phase) / period;
  return std::floor(last + (1 + std::abs(last)) * kRounding) >=
         std::ceil(first - (1 + std::abs(first)) * kRounding);
}

// Bounds sine or cosine, whose maxima are at `phase` plus whole periods.
Interval Wave(Op op, Interval a, double phase) noexcept {
  using std::numbers::pi;
  if (!(std::max(-a.lower, a.upper) < kLargestAngle)) {
    return {-1, 1};
  }
  Interval wave =
      Corners({EvaluateOp(op, a.lower, 0, 0), EvaluateOp(op, a.upper, 0, 0)});
  if (MeetsPeriodically(a, phase, 2 * pi)) {
    wave.upper = 1;
  }
  if (MeetsPeriodically(a, phase + pi, 2 * pi)) {
    wave.lower = -1;
  }
  return wave;
}

Interval Tan(Interval a) noexcept {
  using std::numbers::pi;
  if (!(std::max(-a.lower, a.upper) < kLargestAngle) ||
      MeetsPeriodically(a, pi / 2, pi)) {
    return Interval::Entire();
  }
  return Outward(EvaluateOp(Op::kTan, a.lower, 0, 0),
                 EvaluateOp(Op::kTan, a.upper, 0, 0));
}

Interval Abs(Interval a) noexcept {
  const double larger = std::max(-a.lower, a.upper);
  return a.Contains(0)
             ? Interval{0, larger}
             : Interval{std::min(std::abs(a.lower), std::abs(a.upper)), larger};
}

Interval Trunc(Interval a) noexcept {
  return {std::trunc(a.lower), std::trunc(a.upper)};
}

Interval BoundUnary(Op op, Interval a) noexcept {
  using std::numbers::pi;
  switch (op) {
    case Op::kNegate:
      return -a;
    case Op::kNot:
      return Truth(MayBeTrue(a), MayBeFalse(a));
    case Op::kAbs:
      return Abs(a);
    case Op::kSqrt:
    case Op::kLog:
    case Op::kLog10:
      return Rising(op, a, 0, kInfinity);
    case Op::kSin:
      return Wave(op, a, pi / 2);
    case Op::kCos:
      return Wave(op, a, 0);
    case Op::kTan:
      return Tan(a);
    case Op::kAsin:
      return Rising(op, a, -1, 1);
    case Op::kAcos:
      return Interval::Point(pi / 2) - Rising(Op::kAsin, a, -1, 1);
    case Op::kCosh:
      return Rising(op, Abs(a), 0, kInfinity);
    case Op::kSign:
    case Op::kFloor:
    case Op::kCeil:
      return {EvaluateOp(op, a.lower, 0, 0), EvaluateOp(op, a.upper, 0, 0)};
    default:
      return Rising(op, a, -kInfinity, kInfinity);
  }
}

Interval Multiply(Interval a, Interval b) noexcept {
  if (a == kZero || b == kZero) {
    return kZero;
  }
  return Corners({a.lower * b.lower,
                  a.lower * b.upper,
                  a.upper * b.lower,
                  a.upper * b.upper});
}

Interval Divide(Interval a, Interval b) noexcept {
  if (b.Contains(0)) {
    return Interval::Entire();
  }
  return Corners({a.lower / b.lower,
                  a.lower / b.upper,
                  a.upper / b.lower,
                  a.upper / b.upper});
}

Interval IntegerPower(Interval base, double exponent) noexcept {
  if (exponent == 0) {
    return kOne;
  }
  if (exponent < 0 && base.Contains(0)) {
    return Interval::Entire();
  }
  const bool is_even = std::fmod(exponent, 2) == 0;
  const Interval a = is_even ? Abs(base) : base;
  return Corners({EvaluateOp(Op::kPower, a.lower, exponent, 0),
                  EvaluateOp(Op::kPower, a.upper, exponent, 0)});
}

// For a fixed exponent a power of positive numbers is monotonic in its base,
// for a fixed base in its exponent.
Interval PositivePower(Interval base, Interval exponent) noexcept {
  if (base.upper < 0) {
    return Interval::Entire();
  }
  const double least = std::max(base.lower, 0.0);
  return Corners({EvaluateOp(Op::kPower, least, exponent.lower, 0),
                  EvaluateOp(Op::kPower, least, exponent.upper, 0),
                  EvaluateOp(Op::kPower, base.upper, exponent.lower, 0),
                  EvaluateOp(Op::kPower, base.upper, exponent.upper, 0)});
}

Interval Power(Interval base, Interval exponent) noexcept {
  const double p = exponent.lower;
  const bool is_integer = exponent.is_point() && std::trunc(p) == p;
  Interval power =
      is_integer ? IntegerPower(base, p) : PositivePower(base, exponent);
  if (is_integer || (exponent.is_point() && IsMultipliedPower(p))) {
    // Each multiplication has an error, and the root one more.
    for (int i = is_integer ? 1 : 0; i < 5; ++i) {
      power = Outward(power.lower, power.upper);
    }
  }
  return power;
}

bool MeetsCutOfAtan2(Interval y, Interval x) noexcept {
  return x.lower <= 0 && y.Contains(0);
}

Interval Atan2(Interval y, Interval x) noexcept {
  if (MeetsCutOfAtan2(y, x)) {
    return Outward(-std::numbers::pi, std::numbers::pi);
  }
  return Corners({EvaluateOp(Op::kAtan2, y.lower, x.lower, 0),
                  EvaluateOp(Op::kAtan2, y.lower, x.upper, 0),
                  EvaluateOp(Op::kAtan2, y.upper, x.lower, 0),
                  EvaluateOp(Op::kAtan2, y.upper, x.upper, 0)});
}

// Returns the whole number of times that mod (floor) or rem (toward zero) takes
// `b` from `a`.
Interval WholeQuotient(Op op, Interval a, Interval b) noexcept {
  const Interval quotient = a / b;
  return op == Op::kMod ? Apply(Op::kFloor, quotient) : Trunc(quotient);
}

Interval Remainder(Op op, Interval a, Interval b) noexcept {
  const Interval times = WholeQuotient(op, a, b);
  if (times.is_point()) {
    return a - times * b;
  }
  const double most = std::max(-b.lower, b.upper);
  if (op == Op::kMod) {
    return {b.lower < 0 ? -most : 0, b.upper > 0 ? most : 0};
  }
  return {a.lower < 0 ? -most : 0, a.upper > 0 ? most : 0};
}

Interval BoundBinary(Op op, Interval a, Interval b) noexcept {
  switch (op) {
    case Op::kMultiply:
      return Multiply(a, b);
    case Op::kDivide:
      return Divide(a, b);
    case Op::kPower:
      return Power(a, b);
    case Op::kAtan2:
      return Atan2(a, b);
    case Op::kMin:
      return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
    case Op::kMax:
      return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
    case Op::kMod:
    case Op::kRem:
      return Remainder(op, a, b);
    case Op::kQuotient:
      return Trunc(a / b);
    case Op::kLess:
      return Truth(a.upper >= b.lower, a.lower < b.upper);
    case Op::kLessEqual:
      return Truth(a.upper > b.lower, a.lower <= b.upper);
    case Op::kEqual:
      return Truth(true, a.lower <= b.upper && b.lower <= a.upper);
    case Op::kNotEqual:
      return Truth(a.lower <= b.upper && b.lower <= a.upper, true);
    case Op::kAnd:
      return Truth(MayBeFalse(a) || MayBeFalse(b),
                   MayBeTrue(a) && MayBeTrue(b));
    default:
      return Truth(MayBeFalse(a) && MayBeFalse(b),
                   MayBeTrue(a) || MayBeTrue(b));
  }
}

// Bounds the derivative of a unary operation where it has one.
Interval Derivative(Op op, Interval a, Interval value) noexcept {
  switch (op) {
    case Op::kNegate:
      return Interval::Point(-1);
    case Op::kAbs:
      return Apply(Op::kSign, a);
    case Op::kSqrt:
      return kOne / (Interval::Point(2) * value);
    case Op::kExp:
      return value;
    case Op::kLog:
      return kOne / a;
    case Op::kLog10:
      return kOne / (a * Interval::Point(std::numbers::ln10));
    case Op::kSin:
      return Apply(Op::kCos, a);
    case Op::kCos:
      return -Apply(Op::kSin, a);
    case Op::kTan:
      return kOne + Apply(Op::kPower, value, Interval::Point(2));
    case Op::kAsin:
    case Op::kAcos: {
      const Interval square = Apply(Op::kPower, a, Interval::Point(2));
      const Interval slope = kOne / Apply(Op::kSqrt, kOne - square);
      return op == Op::kAsin ? slope : -slope;
    }
    case Op::kAtan:
      return kOne / (kOne + Apply(Op::kPower, a, Interval::Point(2)));
    case Op::kSinh:
      return Apply(Op::kCosh, a);
    case Op::kCosh:
      return Apply(Op::kSinh, a);
    case Op::kTanh:
      return kOne - Apply(Op::kPower, value, Interval::Point(2));
    default:  // Steps: constant, or with a jump.
      return value.is_point() ? kZero : Interval::Entire();
  }
}

Interval SlopeOfPower(const Bounds& base,
                      const Bounds& exponent,
                      Interval value) noexcept {
  if (exponent.slope == kZero && exponent.value.is_point()) {
    const Interval reduced = exponent.value - kOne;
    return exponent.value * Apply(Op::kPower, base.value, reduced) * base.slope;
  }
  return value * (exponent.slope * Apply(Op::kLog, base.value) +
                  exponent.value * base.slope / base.value);
}

// Bounds the slope of a choice between two quantities that leaves no gap.
Interval SlopeOfChoice(const Bounds& a, const Bounds& b, bool is_min) noexcept {
  const bool is_a =
      is_min ? a.value.upper < b.value.lower : a.value.lower > b.value.upper;
  const bool is_b =
      is_min ? b.value.upper < a.value.lower : b.value.lower > a.value.upper;
  return is_a ? a.slope : (is_b ? b.slope : Hull(a.slope, b.slope));
}

Interval SlopeOfBinary(Op op,
                       const Bounds& a,
                       const Bounds& b,
                       Interval value) noexcept {
  switch (op) {
    case Op::kAdd:
      return a.slope + b.slope;
    case Op::kSubtract:
      return a.slope - b.slope;
    case Op::kMultiply:
      return a.slope * b.value + a.value * b.slope;
    case Op::kDivide:
      return (a.slope - value * b.slope) / b.value;
    case Op::kPower:
      return SlopeOfPower(a, b, value);
    case Op::kAtan2: {
      if (MeetsCutOfAtan2(a.value, b.value)) {
        return Interval::Entire();
      }
      const Interval two = Interval::Point(2);
      return (b.value * a.slope - a.value * b.slope) /
             (Apply(Op::kPower, a.value, two) +
              Apply(Op::kPower, b.value, two));
    }
    case Op::kMin:
    case Op::kMax:
      return SlopeOfChoice(a, b, op == Op::kMin);
    case Op::kMod:
    case Op::kRem: {
      const Interval times = WholeQuotient(op, a.value, b.value);
      return times.is_point() ? a.slope - times * b.slope : Interval::Entire();
    }
    default:
      return value.is_point() ? kZero : Interval::Entire();
  }
}

Bounds BoundSelect(const Bounds& condition,
                   const Bounds& if_true,
                   const Bounds& if_false) noexcept {
  if (!MayBeFalse(condition.value)) {
    return if_true;
  }
  if (!MayBeTrue(condition.value)) {
    return if_false;
  }
  return {.value = Hull(if_true.value, if_false.value),
          .slope = Interval::Entire()};
}

// Bounds the product, then the sum: bounds need no single rounding.
template <typename Bound>
Bound BoundFused(Op op,
                 const Bound& a,
                 const Bound& b,
                 const Bound& c) noexcept {
  const Bound product = BoundOp(Op::kMultiply, a, b, {});
  switch (op) {
    case Op::kMultiplyAdd:
      return BoundOp(Op::kAdd, product, c, {});
    case Op::kMultiplySubtract:
      return BoundOp(Op::kSubtract, product, c, {});
    default:
      return BoundOp(Op::kSubtract, c, product, {});
  }
}

}  // namespace

Interval Hull(Interval a, Interval b) noexcept {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

Interval BoundOp(Op op, Interval a, Interval b, Interval c) noexcept {
  switch (op) {
    case Op::kAdd:  // Most of all.
      return a + b;
    case Op::kSubtract:
      return a - b;
    case Op::kSelect:
      return BoundSelect({a, kZero}, {b, kZero}, {c, kZero}).value;
    default:
      break;
  }
  const int operands = ElementwiseOperands(op);
  if (a.is_point() && (operands < 2 || b.is_point()) &&
      (operands < 3 || c.is_point())) {
    const double value = EvaluateOp(op, a.lower, b.lower, c.lower);
    return std::isnan(value) ? Interval::Entire() : Interval::Point(value);
  }
  switch (operands) {
    case 1:
      return BoundUnary(op, a);
    case 2:
      return BoundBinary(op, a, b);
    default:
      return BoundFused(op, a, b, c);
  }
}

Bounds BoundOp(Op op,
               const Bounds& a,
               const Bounds& b,
               const Bounds& c) noexcept {
  if (op == Op::kSelect) {
    return BoundSelect(a, b, c);
  }
  const Interval value = BoundOp(op, a.value, b.value, c.value);
  if (IsFused(op)) {
    return {.value = value, .slope = BoundFused(op, a, b, c).slope};
  }
  const bool is_unary = ElementwiseOperands(op) == 1;
  if (a.slope == kZero && (is_unary || b.slope == kZero)) {
    return {.value = value, .slope = kZero};
  }
  if (value == Interval::Entire()) {  // There may be a pole.
    return {.value = value, .slope = value};
  }
  return {.value = value,
          .slope = is_unary ? Derivative(op, a.value, value) * a.slope
                            : SlopeOfBinary(op, a, b, value)};
}

}  // namespace orrery
