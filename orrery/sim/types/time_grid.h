#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/solver/steps/decimal_grid.h"

namespace orrery::sim::internal {

/// The times of rows: start + k * interval and others, each once, in order. If
/// start and interval are short decimal numbers, so are the times: three times
/// 0.1 is 0.3.
class TimeGrid {
 public:
  /// @param interval 0: only `times`.
  /// @param times in any order.
  TimeGrid(double start, double interval, std::vector<double> times);

  /// The next time; infinity if there is none.
  [[nodiscard]] double next() const noexcept { return next_; }

  /// Skips all times up to `t`, and those after it by rounding only.
  void SkipTo(double t) noexcept;

  /// Approximate number of times up to `stop`.
  [[nodiscard]] std::size_t EstimateRows(double stop) const noexcept;

 private:
  void FindNext() noexcept;

  double interval_;
  DecimalGrid grid_;
  std::vector<double> times_;
  std::int64_t index_ = 0;
  std::size_t position_ = 0;
  double next_ = 0;
};

}  // namespace orrery::sim::internal
