#include "orrery/sim/internal/time_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orrery/sim/internal/rounding.h"

namespace orrery::internal {

TimeGrid::TimeGrid(double start,
                   double stop,
                   double interval,
                   std::vector<double> times)
    : start_(start),
      stop_(stop),
      interval_(interval),
      times_(std::move(times)) {
  std::ranges::sort(times_);
  FindScale();
  FindNext();
}

void TimeGrid::SkipTo(double t) noexcept {
  const double bound = t + Rounding(t);
  if (next_ > bound) {
    return;
  }
  if (interval_ > 0) {
    const double passed = std::floor((bound - start_) / interval_);
    index_ = std::max(index_, static_cast<std::int64_t>(passed));
    while (TimeOf(index_) <= bound) {
      ++index_;
    }
  }
  while (position_ < times_.size() && times_[position_] <= bound) {
    ++position_;
  }
  FindNext();
}

std::size_t TimeGrid::size_estimate() const noexcept {
  const double rows = interval_ > 0 ? (stop_ - start_) / interval_ : 0;
  return times_.size() + static_cast<std::size_t>(rows) + 2;
}

// All numbers of the division in TimeOf are then exact, and its result is the
// double nearest to the decimal number.
void TimeGrid::FindScale() noexcept {
  constexpr int kMostDigits = 12;
  constexpr double kLargest = 1e12;
  constexpr double kMostExact = 9007199254740992;  // 2^53
  double scale = 1;
  for (int digits = 0; digits <= kMostDigits; ++digits) {
    const double start = std::round(start_ * scale);
    const double interval = std::round(interval_ * scale);
    if (start / scale != start_ || interval / scale != interval_) {
      scale *= 10;
      continue;
    }
    if (interval <= kLargest && std::abs(start) <= kMostExact / 2 &&
        std::abs(stop_) * scale <= kMostExact / 2) {
      scale_ = scale;
      scaled_start_ = start;
      scaled_interval_ = interval;
    }
    return;
  }
}

double TimeGrid::TimeOf(std::int64_t k) const noexcept {
  const auto count = static_cast<double>(k);
  return scale_ > 0 ? (scaled_start_ + count * scaled_interval_) / scale_
                    : start_ + count * interval_;
}

void TimeGrid::FindNext() noexcept {
  next_ = std::numeric_limits<double>::infinity();
  if (interval_ > 0) {
    next_ = TimeOf(index_);
  }
  if (position_ < times_.size()) {
    next_ = std::min(next_, times_[position_]);
  }
  if (next_ > stop_) {
    next_ = std::numeric_limits<double>::infinity();
  }
}

}  // namespace orrery::internal
