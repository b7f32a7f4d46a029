#include "orrery/devs/engine/schedule.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace orrery::devs::internal {

namespace {

// The number of models whose memory stays in cache.
constexpr std::size_t kFewModels = 4096;

}  // namespace

std::int64_t Schedule::NextTime() {
  while (next_.empty() && events_.NextTime() != kNever) {
    next_time_ = events_.NextTime();
    if (models_.slots.size() > kFewModels) {
      PrefetchNear();
    }
    events_.Pop(next_time_, next_);
    std::erase_if(next_, [&](std::uint32_t model) {
      return models_.slots[model].next != next_time_;
    });
  }
  return next_.empty() ? kNever : next_time_;
}

// With many models the next ones are seldom in cache. Their slots are
// prefetched when they enter the near part of the list, and the memory these
// point to one event ahead.
void Schedule::PrefetchNear() {
  const auto near = events_.near();
  if (std::exchange(num_refills_, events_.num_refills()) !=
      events_.num_refills()) {
    for (const EventList::Entry& entry : near) {
      __builtin_prefetch(&models_.slots[entry.id]);
    }
  }
  if (!near.empty()) {
    const Slot& next = models_.slots[near.front().id];
    __builtin_prefetch(next.state);
    __builtin_prefetch(next.model);
    __builtin_prefetch(mail_.outputs.data() + next.first_output);
  }
}

// Puts the models back if something else comes before them.
void Schedule::TakeNext() {
  if (next_time_ != now_) {
    for (const std::uint32_t model : next_) {
      events_.Add(next_time_, model);
    }
  } else if (next_.size() == 1 && due_.empty()) {
    due_.swap(next_);
  } else {
    std::vector<Marks>& marks = models_.marks;
    due_.insert(due_.end(), next_.begin(), next_.end());
    std::erase_if(due_, [&](std::uint32_t model) {
      return std::exchange(marks[model].is_imminent, true);
    });
    for (const std::uint32_t model : due_) {
      marks[model].is_imminent = false;
    }
  }
  next_.clear();
}

void Schedule::Sweep() {
  events_.Sweep([&](const EventList::Entry& entry) {
    return models_.slots[entry.id].next == entry.time;
  });
}

void Schedule::Rebuild() {
  events_.Clear();
  live_ = 0;
  for (std::uint32_t i = 0; i < models_.slots.size(); ++i) {
    const std::int64_t next = models_.slots[i].next;
    live_ += next == kNever ? 0U : 1U;
    if (next == now_) {
      due_.push_back(i);
    } else if (next != kNever) {
      events_.Add(next, i);
    }
  }
}

}  // namespace orrery::devs::internal
