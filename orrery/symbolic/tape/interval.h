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

  /// All numbers: what is known of a value that may be undefined.
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

/// An interval that contains the value of an elementwise operation on any
/// numbers of the operands: rounded outward, except on points, whose result is
/// the point that `EvaluateOp` gives. Where an operand lies partly outside the
/// domain, only the part inside counts; where all of it does, or the result is
/// unbounded, everything is possible.
/// Source: Moore, Kearfott and Cloud, Introduction to Interval Analysis (2009),
/// chapters 2, 3 and 5.
[[nodiscard]] Interval BoundOp(Op op,
                               Interval a,
                               Interval b,
                               Interval c) noexcept;

/// What a quantity is over a piece of time: all its values, and all its rates
/// of change. The slope of a quantity that may jump is everything.
struct Bounds {
  Interval value;
  Interval slope;

  [[nodiscard]] static constexpr Bounds Point(double x) noexcept {
    return {.value = Interval::Point(x), .slope = Interval::Point(0)};
  }

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// The same of values that change in time, by the chain rule. Where a result
/// has a kink, its slope covers both sides.
[[nodiscard]] Bounds BoundOp(Op op,
                             const Bounds& a,
                             const Bounds& b,
                             const Bounds& c) noexcept;

}  // namespace orrery
