#include "orrery/sim/types/time_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orrery/sim/types/rounding.h"

namespace orrery::sim::internal {

TimeGrid::TimeGrid(double start, double interval, std::vector<double> times)
    : interval_(interval), grid_(start, interval), times_(std::move(times)) {
  std::ranges::sort(times_);
  FindNext();
}

void TimeGrid::SkipTo(double t) noexcept {
  const double bound = t + Rounding(t);
  if (next_ > bound) {
    return;
  }
  if (interval_ > 0) {
    const double passed = std::floor((bound - grid_.start()) / interval_);
    index_ = std::max(index_, static_cast<std::int64_t>(passed));
    while (grid_.At(index_) <= bound) {
      ++index_;
    }
  }
  while (position_ < times_.size() && times_[position_] <= bound) {
    ++position_;
  }
  FindNext();
}

std::size_t TimeGrid::EstimateRows(double stop) const noexcept {
  const double rows = interval_ > 0 ? (stop - grid_.start()) / interval_ : 0;
  return times_.size() + static_cast<std::size_t>(rows) + 2;
}

void TimeGrid::FindNext() noexcept {
  next_ = std::numeric_limits<double>::infinity();
  if (interval_ > 0) {
    next_ = grid_.At(index_);
  }
  if (position_ < times_.size()) {
    next_ = std::min(next_, times_[position_]);
  }
}

}  // namespace orrery::sim::internal
