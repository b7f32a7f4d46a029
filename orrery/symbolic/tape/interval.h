#pragma once

#include "orrery/base/numbers/non_finite.h"
#include "orrery/symbolic/op.h"

namespace orrery {

/// The numbers from `lower` to `upper`, both included; never empty, never NaN.
struct Interval {
  double lower = 0;
  double upper = 0;

  [[nodiscard]] static constexpr Interval Point(double x) noexcept {
    return {x, x};
  }

  /// All numbers: the bounds of a value that may be undefined.
  [[nodiscard]] static constexpr Interval Entire() noexcept {
    return {-kInfinity, kInfinity};
  }

  [[nodiscard]] bool is_point() const noexcept { return lower == upper; }

  [[nodiscard]] bool Contains(double x) const noexcept {
    return lower <= x && x <= upper;
  }

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// The smallest interval that contains both.
[[nodiscard]] Interval Hull(Interval a, Interval b) noexcept;

/// Returns an interval that contains the operation's values for all numbers in
/// the operands' intervals. It is rounded outward, except for points, whose
/// result is the point that `EvaluateOp` gives. If an operand lies partly
/// outside the domain, only the part inside counts. If it lies outside
/// entirely, or the result is unbounded, the interval contains all numbers.
/// Source: Moore, Kearfott and Cloud, Introduction to Interval Analysis (2009),
/// chapters 2, 3 and 5.
[[nodiscard]] Interval BoundOp(Op op,
                               Interval a,
                               Interval b,
                               Interval c) noexcept;

/// Bounds of a quantity over a piece of time: of its values and of its rates of
/// change. The slope of a quantity that may jump contains all numbers.
struct Bounds {
  Interval value;
  Interval slope;

  [[nodiscard]] static constexpr Bounds Point(double x) noexcept {
    return {.value = Interval::Point(x), .slope = Interval::Point(0)};
  }

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// Likewise for values that change in time, by the chain rule. If the result
/// has a kink, its slope covers both sides.
[[nodiscard]] Bounds BoundOp(Op op,
                             const Bounds& a,
                             const Bounds& b,
                             const Bounds& c) noexcept;

}  // namespace orrery
