#include "orrery/process/run/calendar.h"

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace orrery::process::internal {

namespace {

// Prefetches as many lines as most frames have.
void PrefetchFrame(std::coroutine_handle<> frame) {
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kLines = 4;
  const auto* const begin = static_cast<const char*>(frame.address());
  if (begin == nullptr) {
    return;
  }
  for (std::size_t i = 0; i < kLines; ++i) {
    __builtin_prefetch(begin + i * kLine);
  }
}

}  // namespace

Calendar::Calendar(Duration start)
    : start_(start),
      last_due_(start),
      end_of_time_(Duration::max() + std::min(start, Duration(0))),
      now_(start) {}

Duration Calendar::NextTime() {
  if (stale_ > 0) {
    stale_ -= list_.DropFirst(
        [this](const EventList::Entry& entry) { return Counts(entry); });
  }
  const std::int64_t next = list_.NextTime();
  return next == EventList::kNever ? kNever : Duration(next) + start_;
}

std::uint32_t Calendar::AddResource() {
  sample_stamps_.push_back(0);
  return static_cast<std::uint32_t>(sample_stamps_.size() - 1);
}

void Calendar::ScheduleSample(std::uint32_t resource, Duration delay) {
  std::uint32_t& stamp = sample_stamps_[resource];
  Drop(stamp);
  stamp = Add(TimeAfter(delay), resource | kResourceBit);
}

// Stamp 0 means none. After 2^32 schedulings stamps repeat; tasks due at one
// time may then come in another order, but the same one in every run.
std::uint32_t Calendar::Add(Duration at, std::uint32_t id) {
  if (at >= end_of_time_) {
    return 0;
  }
  if (at < last_due_) {
    // The list otherwise goes on from the last time taken from it.
    Sweep();
    last_due_ = at;
  }
  next_stamp_ = std::max(next_stamp_ + 1, 1U);
  list_.Add(SinceStart(at), id, next_stamp_);
  return next_stamp_;
}

// Cancels the entry of the list with this stamp.
void Calendar::Drop(std::uint32_t& stamp) {
  static constexpr std::size_t kFewStale = 64;
  if (stamp == 0) {
    return;
  }
  stamp = 0;
  ++stale_;
  if (stale_ > kFewStale && stale_ > list_.size() / 2) {
    Sweep();
  }
}

void Calendar::Sweep() {
  list_.Sweep([this](const EventList::Entry& entry) { return Counts(entry); });
  stale_ = 0;
}

// With many tasks the next ones are seldom in cache. Their nodes are prefetched
// when they enter the near part of the list, and their frames before they are
// due.
void Calendar::PrefetchNear() {
  static constexpr std::size_t kAhead = 3;
  static constexpr std::uint32_t kFew = 2048;
  if (tasks_->size() < kFew) {
    return;
  }
  const auto near = list_.near();
  // The frames before it were prefetched last time.
  std::size_t next = kAhead - 1;
  if (std::exchange(num_refills_, list_.num_refills()) != list_.num_refills()) {
    for (const EventList::Entry& entry : near) {
      if (!IsOfResource(entry)) {
        __builtin_prefetch(&(*tasks_)[entry.id]);
      }
    }
    next = 0;
  }
  for (; next < std::min(kAhead, near.size()); ++next) {
    if (!IsOfResource(near[next])) {
      PrefetchFrame((*tasks_)[near[next].id].frame);
    }
  }
}

Calendar::Saved Calendar::Save() const {
  return {.now = now_,
          .horizon = horizon_,
          .last_due = last_due_,
          .list = list_,
          .next_stamp = next_stamp_,
          .stale = stale_,
          .sample_stamps = sample_stamps_};
}

void Calendar::Restore(const Saved& saved) {
  now_ = saved.now;
  horizon_ = saved.horizon;
  last_due_ = saved.last_due;
  list_ = saved.list;
  next_stamp_ = saved.next_stamp;
  stale_ = saved.stale;
  sample_stamps_ = saved.sample_stamps;
}

}  // namespace orrery::process::internal
