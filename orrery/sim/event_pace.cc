#include "orrery/sim/internal/event_pace.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace orrery::internal {
namespace {

// Events at one time, with the one before them, that are a reason to look for
// what they are due to.
constexpr int kRepetitions = 3;

}  // namespace

std::optional<EventPace::Trouble> EventPace::Add(double t) {
  constexpr double kOneTime = 1e-13;      // Of t: a distance that is none.
  constexpr double kStart = 1e-3;         // Of span: t is not less than that.
  constexpr double kSoon = 1e-6;          // Of t or span.
  constexpr double kAlmostThere = 1e-10;  // Of t: all that is to come.
  constexpr double kSlowest = 0.99;       // Ratio of intervals.
  const auto back = [this](std::size_t i) {
    return times_[(count_ - 1 - i) % times_.size()];
  };
  const auto is_within = [&](double distance) {
    return count_ > 0 && t - back(0) <= distance;
  };
  const double size = std::abs(t);
  consecutive_ = is_within(kOneTime * std::max(size, kStart * span_))
                     ? consecutive_ + 1
                     : 0;
  soon_ = is_within(kSoon * std::max(size, span_)) ? soon_ + 1 : 0;
  times_[count_++ % times_.size()] = t;
  if (consecutive_ >= max_consecutive_) {
    return Trouble{};
  }
  if (count_ < times_.size()) {
    return std::nullopt;
  }
  double largest_ratio = 0;
  for (std::size_t i = 0; i + 1 < kIntervals; ++i) {
    const double interval = back(i) - back(i + 1);
    const double before = back(i + 1) - back(i + 2);
    if (!(interval > 0 && interval <= kSlowest * before)) {
      return std::nullopt;
    }
    largest_ratio = std::max(largest_ratio, interval / before);
  }
  const double rest = (back(0) - back(1)) * largest_ratio / (1 - largest_ratio);
  if (rest > kAlmostThere * std::abs(t)) {
    return std::nullopt;
  }
  return Trouble{.is_zeno = true, .limit = t + rest};
}

bool EventPace::IsWorthALook() const noexcept {
  return consecutive_ == kRepetitions ||
         (soon_ >= kRepetitions && std::has_single_bit(soon_ + 1));
}

}  // namespace orrery::internal
