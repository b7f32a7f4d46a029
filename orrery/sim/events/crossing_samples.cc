// The search for operands without bounds.

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/sim/events/crossing_search.h"

namespace orrery::sim::internal {
namespace {

constexpr int kSamples = 16;
constexpr int kRefinements = 40;
// Between samples, a top rises by at most this many times its rise above the
// samples around it.
constexpr double kWithinReach = 16;

}  // namespace

double CrossingSearch::SearchBySamples(StepPart step) {
  const auto time = [&](int i) {
    return i == kSamples ? step.end
                         : step.begin + (step.end - step.begin) * i / kSamples;
  };
  candidates_ = others_;
  std::ranges::fill(before_, kNaN);  // No top before the third sample.
  std::ranges::fill(between_, kNaN);
  for (int i = 0; i <= kSamples; ++i) {
    if (i == 0) {
      Evaluate(time(i));
    } else if (HasCrossedAt(time(i))) {
      return LocateIn({time(i - 1), time(i)});
    }
    const StepPart around = {time(std::max(i - 2, 0)), time(i)};
    if (const double crossed = ClimbTops(around); crossed < kNever) {
      return LocateIn({around.begin, crossed});
    }
  }
  return kNever;
}

// Takes the present excesses as the next sample, and climbs the tops between
// the last sample but one and this one.
double CrossingSearch::ClimbTops(StepPart around) {
  for (const std::size_t k : others_) {
    const double excess = ExcessOf(k);
    const double before = std::exchange(before_[k], between_[k]);
    const double between = std::exchange(between_[k], excess);
    const double rise = between - std::min(before, excess);
    is_top_[k] = between >= before && between >= excess && rise > 0 &&
                         -between <= kWithinReach * rise
                     ? 1
                     : 0;
  }
  for (const std::size_t k : others_) {
    if (is_top_[k] != 0) {
      if (const double crossed = Climb(k, around); crossed < kNever) {
        return crossed;
      }
    }
  }
  return kNever;
}

// Golden section search for a time at which relation `k` has changed.
double CrossingSearch::Climb(std::size_t k, StepPart part) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  const auto excess_at = [&](double t) {
    Evaluate(t);
    return ExcessOf(k);
  };
  double left = part.end - ratio * (part.end - part.begin);
  double right = part.begin + ratio * (part.end - part.begin);
  double at_left = excess_at(left);
  double at_right = excess_at(right);
  for (int i = 0; i < kRefinements; ++i) {
    if (HasCrossed(k, at_left)) {
      return left;
    }
    if (HasCrossed(k, at_right)) {
      return right;
    }
    if (at_left > at_right) {
      part.end = std::exchange(right, left);
      at_right = at_left;
      left = part.end - ratio * (part.end - part.begin);
      at_left = excess_at(left);
    } else {
      part.begin = std::exchange(left, right);
      at_left = at_right;
      right = part.begin + ratio * (part.end - part.begin);
      at_right = excess_at(right);
    }
  }
  return kNever;
}

}  // namespace orrery::sim::internal
