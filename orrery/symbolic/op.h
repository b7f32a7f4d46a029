#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

namespace orrery {

/// The kind of a value. All are computed in double: an Integer is exact up to
/// 2^53, a Boolean is 0 or 1, an enumeration literal is an Integer.
enum class ValueType : std::uint8_t { kReal, kInteger, kBoolean };

/// The largest Integer, 2^53 - 1; the least is its negative. A value beyond is
/// an error. A sum, difference or product of Integers that was rounded, and so
/// is not exact, is never within these limits.
inline constexpr double kMaxInteger = 9007199254740991.0;

/// The operation of a node of an `ExprGraph`.
enum class Op : std::uint8_t {
  // Leaves.
  kConstant,       ///< A scalar number.
  kArrayConstant,  ///< Numbers, row-major.
  kSymbol,         ///< A named quantity.
  kIterator,       ///< The Integer that a loop binds.
  // Unary, elementwise.
  kNegate,
  kNot,
  kAbs,
  kSign,  ///< -1, 0, 1.
  kSqrt,
  kExp,
  kLog,
  kLog10,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kFloor,
  kCeil,
  // Binary, elementwise; a scalar operand stands for an array of its value.
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,  ///< See `IsMultipliedPower`.
  kAtan2,
  kMin,
  kMax,
  kMod,       ///< x - floor(x/y)*y.
  kRem,       ///< x - div(x,y)*y.
  kQuotient,  ///< div(x,y): x/y rounded toward zero.
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kAnd,
  kOr,
  // Ternary, elementwise.
  kSelect,  ///< condition, value if it is true, value otherwise.
  // Likewise, rounded once: in tapes, in place of a product and a sum.
  kMultiplyAdd,       ///< a*b + c
  kMultiplySubtract,  ///< a*b - c
  kSubtractProduct,   ///< c - a*b
  // Arrays.
  kMakeArray,  ///< Operands of one shape, stacked along a new first dimension.
  kIndex,      ///< Array, then one Integer from 1 for each leading dimension.
  kBuild,      ///< Iterator, body: the body for each value, stacked.
  kSum,        ///< Iterator, body: the sum of the bodies, first to last.
  kProduct,
  kMinimum,
  kMaximum,
  // Calls.
  kCall,    ///< A `Function` over its arguments: all outputs, a tuple.
  kOutput,  ///< One output of a kCall or kOpaque node.
  kOpaque,  ///< An `OpaqueFunction` over its arguments: all outputs.
  // Operators of model equations; the compiler removes them.
  kDer,  ///< The time derivative of its operand.
  kPre,  ///< Its operand's value just before an event, or a microstep of it.
  kNoEvent,  ///< Its operand, whose jumps and kinks are no events.
  kSample,   ///< Start, interval: true at start + k*interval, k = 0, 1, ...
  kDelay,    ///< Operand, delay, greatest delay: its value at time - delay.
  /// What a motion carries from one end of a way to the other. Operands: what
  /// enters, the position, the end that is seen (0 or 1), then n places and n
  /// values at the start. See `ExprGraph::Transport`.
  kTransport,
};

inline constexpr int kNumOps = static_cast<int>(Op::kTransport) + 1;

/// 1, 2 or 3 for the elementwise operations, 0 for all others.
[[nodiscard]] constexpr int ElementwiseOperands(Op op) noexcept {
  if (op < Op::kNegate || op > Op::kSubtractProduct) {
    return 0;
  }
  return op < Op::kAdd ? 1 : (op < Op::kSelect ? 2 : 3);
}

/// True for a product and a sum that are rounded once.
[[nodiscard]] constexpr bool IsFused(Op op) noexcept {
  return op > Op::kSelect && op <= Op::kSubtractProduct;
}

/// True if the operation jumps or has a kink where its operands do not.
[[nodiscard]] constexpr bool IsBreak(Op op) noexcept {
  switch (op) {
    case Op::kAbs:
    case Op::kSign:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kMin:
    case Op::kMax:
    case Op::kMod:
    case Op::kRem:
    case Op::kQuotient:
    case Op::kLess:
    case Op::kLessEqual:
      return true;
    default:
      return false;
  }
}

/// As in "add", for messages and dumps.
[[nodiscard]] std::string_view OpName(Op op) noexcept;

/// Returns the value of an elementwise operation on numbers. The graph's
/// constant folding, the interpreter and native code agree with it bit for bit.
/// Elementary functions are SLEEF's reproducible ones (at most 1 ulp). Operands
/// that `op` does not take are ignored.
[[nodiscard]] double EvaluateOp(Op op, double a, double b, double c) noexcept;

/// True if x^exponent is computed by multiplication: x^n by squaring, bits of n
/// from the lowest, result *= square where a bit is set; x^(n + 1/2) as x^n
/// sqrt(x). For a negative exponent the reciprocal is taken last.
[[nodiscard]] inline bool IsMultipliedPower(double exponent) noexcept {
  constexpr double kMost = 16;
  return std::trunc(2 * exponent) == 2 * exponent &&
         std::abs(exponent) <= kMost;
}

}  // namespace orrery
