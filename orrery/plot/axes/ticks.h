#pragma once

#include <string>
#include <vector>

namespace orrery::plot::internal {

/// The range of an axis, low < high, both finite.
struct Range {
  double low = 0;
  double high = 1;
};

/// Finds a range that includes all finite values. Widens it if they are equal
/// up to rounding; 0 to 1 without values.
class RangeFinder {
 public:
  void Add(double value);
  [[nodiscard]] Range Find() const;

 private:
  bool empty_ = true;
  double low_ = 0;
  double high_ = 0;
};

/// `range`, extended by `share` of its length at each end.
[[nodiscard]] Range Padded(Range range, double share);

/// The relative position of `value` in `range`: 0 at its low end, 1 at its high
/// end. Does not overflow for ranges as long as the largest double.
[[nodiscard]] double Fraction(Range range, double value);

/// Round numbers on an axis.
struct Ticks {
  std::vector<double> values;  ///< Ascending, within the range.
  /// Decimal, with '-' for minus; one for each value.
  std::vector<std::string> labels;
  int exponent = 0;  ///< The values are the labels times 10^exponent.
};

/// At most `most` (>= 2) multiples of 1, 2 or 5 times a power of ten, as many
/// as fit; at least one. Labels are exact and have no more decimals than they
/// need; very large and very small ones share a power of a thousand.
[[nodiscard]] Ticks MakeTicks(Range range, int most);

/// The smallest range of whole tick steps that holds `range`.
[[nodiscard]] Range RoundedToTicks(Range range, int most);

}  // namespace orrery::plot::internal
