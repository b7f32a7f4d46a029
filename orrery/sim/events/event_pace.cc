#include "orrery/sim/events/event_pace.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "orrery/base/files/state_number.h"

namespace orrery::sim::internal {
namespace {

// Number of events at one time that is a reason to look for their cause.
constexpr int kRepetitions = 3;

}  // namespace

std::optional<EventPace::PaceFailure> EventPace::Add(double t) {
  constexpr double kOneTime = 1e-13;  // Relative to t: no distance.
  constexpr double kStart = 1e-3;     // Least t, relative to span.
  constexpr int kManyMore = 100;      // Times as many, over all of the span.
  constexpr double kSoon = 1e-6;      // Relative to t or span.
  constexpr double kAlmostThere = 1e-10;  // All to come, relative to t.
  constexpr double kShort = 1e-3;         // Last interval, relative to t.
  const double size = std::abs(t);
  const double whole = std::max(size, span_);
  const double distance = t - last_;
  consecutive_ = distance <= kOneTime * std::max(size, kStart * span_)
                     ? consecutive_ + 1
                     : 0;
  crowded_ = distance <= kOneTime * whole ? crowded_ + 1 : 0;
  soon_ = distance <= kSoon * whole ? soon_ + 1 : 0;
  last_ = t;
  if (consecutive_ >= max_consecutive_ ||
      crowded_ / kManyMore >= max_consecutive_) {
    return PaceFailure{};
  }
  if (count_ > 0 && t - Back(0) <= kOneTime * size) {
    return std::nullopt;
  }
  times_[count_++ % times_.size()] = t;
  if (distance > kShort * size) {
    return std::nullopt;
  }
  for (std::size_t events = 1; events <= kMostInACycle; ++events) {
    if (const auto rest = RestOfCycles(events)) {
      return *rest <= kAlmostThere * size
                 ? std::optional(
                       PaceFailure{.is_zeno = true, .limit = t + *rest})
                 : std::nullopt;
    }
  }
  return std::nullopt;
}

double EventPace::Back(std::size_t i) const noexcept {
  return times_[(count_ - 1 - i) % times_.size()];
}

std::optional<double> EventPace::RestOfCycles(
    std::size_t events) const noexcept {
  constexpr double kSlowest = 0.99;   // Ratio of cycles.
  constexpr std::size_t kFewest = 5;  // Cycles that shrink a lot.
  constexpr double kALot = 1e-6;      // Ratio of the latest to the first...
  constexpr double kEach = 0.3;       // ...and of each to the one before.
  const auto cycle = [this, events](std::size_t i) {
    return Back(i * events) - Back((i + 1) * events);
  };
  const std::size_t known = std::min(count_, times_.size()) - 1;
  const std::size_t cycles = std::min(known / events, kCycles);
  double largest_ratio = 0;
  for (std::size_t i = 1; i < cycles; ++i) {
    const double ratio = cycle(i - 1) / cycle(i);
    if (!(ratio <= kSlowest)) {
      return std::nullopt;
    }
    largest_ratio = std::max(largest_ratio, ratio);
    if (i + 1 == kCycles || (i + 1 >= kFewest && largest_ratio <= kEach &&
                             cycle(0) <= kALot * cycle(i))) {
      return cycle(0) * largest_ratio / (1 - largest_ratio);
    }
  }
  return std::nullopt;
}

bool EventPace::IsCheckDue() const noexcept {
  return consecutive_ == kRepetitions ||
         (soon_ >= kRepetitions && std::has_single_bit(soon_ + 1));
}

void EventPace::Transfer(StateStream& stream) {
  stream.Number(last_);
  TransferCount(stream, consecutive_);
  TransferCount(stream, crowded_);
  stream.Number(soon_);
  stream.Number(count_);
  for (double& time : times_) {
    stream.Number(time);
  }
}

}  // namespace orrery::sim::internal
