#pragma once

#include <string>
#include <vector>

namespace orrery::internal {

/// What an axis spans, low < high, both finite.
struct Range {
  double low = 0;
  double high = 1;
};

/// A range that shows all of `values`: widened where they are one value or
/// differ by rounding only, 0 to 1 where there is none. Ignores what is not
/// finite.
class RangeFinder {
 public:
  void Add(double value);
  [[nodiscard]] Range Find() const;

 private:
  bool empty_ = true;
  double low_ = 0;
  double high_ = 0;
};

/// `range` and `share` of its length more at each end.
[[nodiscard]] Range Padded(Range range, double share);

/// Where `value` lies in `range`: 0 at its low end, 1 at its high end. Does
/// not overflow for ranges as long as the largest double.
[[nodiscard]] double Fraction(Range range, double value);

/// Round numbers on an axis.
struct Ticks {
  std::vector<double> values;       ///< Ascending, within the range.
  std::vector<std::string> labels;  ///< Decimal, '-' for minus; one a value.
  int exponent = 0;                 ///< The labels times 10^exponent: values.
};

/// At most `most` (>= 2) multiples of 1, 2 or 5 times a power of ten, as many
/// as fit; at least one. Labels are exact and have no more decimals than they
/// need; very large and very small ones share a power of a thousand.
[[nodiscard]] Ticks MakeTicks(Range range, int most);

/// The smallest range of whole tick steps that holds `range`.
[[nodiscard]] Range RoundedToTicks(Range range, int most);

}  // namespace orrery::internal
