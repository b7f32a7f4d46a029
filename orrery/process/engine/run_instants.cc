#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/condition_wait.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

namespace {

using orrery::ToText;

constexpr Duration kNever = Duration::max();

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

Duration Run::time_left() const noexcept {
  return horizon_ == Duration::max() ? horizon_ : horizon_ - now_;
}

std::vector<std::string> Run::warnings() const {
  return warnings_.Texts();
}

bool Run::has_work() const noexcept {
  return !changed_.empty() || !next_.empty();
}

void Run::RunUntil(Duration end) {
  CheckIsIdle("run");
  CheckGoesOn();
  if (end < now_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run until " + ToText(end) + ": it is " + ToText(now_) +
                    " already");
  }
  const WhileTrue working(is_running_);
  GoOnTo(end);
  for (Duration time = NextTime(); time <= end && time != kNever;
       time = NextTime()) {
    CarryOut(time);
  }
  if (end == kNever) {
    return;
  }
  now_ = end;
  if (!open_.empty()) {
    MarkOpen();
    CarryOut(end);
  }
}

bool Run::Step() {
  CheckIsIdle("take a step");
  CheckGoesOn();
  GoOnTo(kNever);
  const Duration time = NextTime();
  if (time == kNever) {
    return false;
  }
  const WhileTrue working(is_running_);
  CarryOut(time);
  return true;
}

void Run::GoOnTo(Duration horizon) {
  if (horizon > horizon_) {
    MarkOpen();
  }
  horizon_ = horizon;
}

void Run::MarkOpen() {
  for (ConditionWait* condition : open_) {
    MarkChanged(*condition);
  }
}

Duration Run::NextTime() {
  if (!has_started_ || !changed_.empty() || !next_.empty()) {
    return now_;
  }
  if (stale_ > 0) {
    stale_ -= list_.DropFirst(
        [this](const EventList::Entry& entry) { return Holds(entry); });
  }
  const std::int64_t next = list_.NextTime();
  return next == EventList::kNever ? kNever : Duration(next) + options_.start;
}

void Run::CarryOut(Duration time) {
  BeginInstant(time);
  do {
    EvaluateConditions();
  } while (Microstep());
  if (!changed_resources_.empty()) {
    SampleResources();
  }
}

void Run::BeginInstant(Duration time) {
  if (!has_started_) {
    Start();
  }
  TakeDue(time);
  now_ = time;
  ++statistics_.instants;
  microstep_ = 0;
}

// @returns true if a task was due.
bool Run::Microstep() {
  if (!deciding_.empty()) {
    LetOthersEnd();
  }
  if (next_.empty()) {
    return false;
  }
  if (microstep_ == options_.max_microsteps) {
    FailEndless();
  }
  RunBatch();
  ++microstep_;
  if (!has_begun_plan_) {
    BeginPlan();
  }
  return true;
}

bool Run::RunMicrostep(Duration time, bool is_first) {
  CheckIsIdle("take a step");
  CheckGoesOn();
  const WhileTrue working(is_running_);
  if (time != now_ || statistics_.instants == 0) {
    BeginInstant(time);
  } else {
    TakeDue(time);  // Tasks that were spawned from outside.
  }
  if (is_first) {
    EvaluateConditions();
  }
  return Microstep();
}

void Run::EndMicrostep() {
  const WhileTrue working(is_running_);
  EvaluateConditions();
}

void Run::EndInstant() {
  const WhileTrue working(is_running_);
  SampleResources();
}

// Moves tasks that are due into the next batch, and marks resources that are.
void Run::TakeDue(Duration time) {
  const std::span<EventList::Entry> due = list_.Pop(SinceStart(time));
  if (due.empty()) {
    return;
  }
  last_due_ = time;
  PrefetchNear();
  if (due.size() > 1) {
    std::ranges::sort(
        due, {}, [this](const auto& entry) { return OrderOf(entry); });
  }
  for (const EventList::Entry& entry : due) {
    if (!Holds(entry)) {
      --stale_;
    } else if ((entry.id & kResourceBit) != 0) {
      ResourceEntry& resource = resources_[entry.id & ~kResourceBit];
      resource.stamp = 0;
      MarkChanged(*resource.resource);
    } else {
      Node& node = (*nodes_)[entry.id];
      node.stamp = 0;
      if (node.is_to_begin) {
        Begin(node);
      }
      if (node.state == TaskState::kDelayed || node.wait->OnDue(*this)) {
        node.state = TaskState::kReady;
        next_.push_back(&node);
      }
    }
  }
}

// Interrupts that came before the first step take effect where it ends.
void Run::Begin(Node& node) {
  node.is_to_begin = false;
  if (const auto found = interrupts_.find(node.index);
      found != interrupts_.end()) {
    for (std::exception_ptr& reason : found->second) {
      ++node.handles;
      deferred_.push_back(
          {.step = 0, .target = node.index, .reason = std::move(reason)});
    }
    interrupts_.erase(found);
  }
}

// With many tasks the next ones are seldom in cache. Their nodes are prefetched
// when they enter the near part of the list, and their frames before they are
// due.
void Run::PrefetchNear() {
  static constexpr std::size_t kAhead = 3;
  static constexpr std::uint32_t kFew = 2048;
  if (nodes_->size() < kFew) {
    return;
  }
  const auto near = list_.near();
  // The frames before it were prefetched last time.
  std::size_t next = kAhead - 1;
  if (std::exchange(num_refills_, list_.num_refills()) != list_.num_refills()) {
    for (const EventList::Entry& entry : near) {
      if ((entry.id & kResourceBit) == 0) {
        __builtin_prefetch(&(*nodes_)[entry.id]);
      }
    }
    next = 0;
  }
  for (; next < std::min(kAhead, near.size()); ++next) {
    if ((near[next].id & kResourceBit) == 0) {
      PrefetchFrame((*nodes_)[near[next].id].frame);
    }
  }
}

// Conditions of the tasks that have waited longest come first.
void Run::EvaluateConditions() {
  const std::size_t size = changed_.size();
  if (size == 0) {
    return;
  }
  if (size > 1) {
    std::ranges::sort(changed_, {}, &Dependent::order);
  }
  for (std::size_t i = 0; i < size; ++i) {
    changed_[i]->is_changed = false;
    changed_[i]->Evaluate(*this);
  }
  changed_.erase(changed_.begin(),
                 changed_.begin() + static_cast<std::ptrdiff_t>(size));
}

void Run::MarkChanged(Dependent& dependent) {
  if (!dependent.is_changed) {
    dependent.is_changed = true;
    (dependent.takes_samples ? changed_resources_ : changed_)
        .push_back(&dependent);
  }
}

void Run::ScheduleIn(Node& node, Duration delay) {
  Schedule(node, TimeAfter(delay));
}

void Run::Schedule(Node& node, Duration at) {
  node.stamp = AddEntry(at, node.index);
}

Duration Run::TimeAfter(Duration delay) const noexcept {
  return delay < end_of_time_ - now_ ? now_ + delay : end_of_time_;
}

// The time as the list has it, where no time is negative. Times are distinct up
// to 292 years after the start.
std::int64_t Run::SinceStart(Duration time) const noexcept {
  std::int64_t since = 0;
  return __builtin_sub_overflow(time.count(), options_.start.count(), &since)
             ? EventList::kNever
             : since;
}

// Stamp 0 means none. After 2^32 schedulings stamps repeat; tasks due at one
// time may then come in another order, but the same one in every run.
std::uint32_t Run::AddEntry(Duration at, std::uint32_t id) {
  if (at >= end_of_time_) {
    return 0;
  }
  if (at < last_due_) {
    // The list otherwise goes on from the last time taken from it.
    SweepList();
    last_due_ = at;
  }
  next_stamp_ = std::max(next_stamp_ + 1, 1U);
  list_.Add(SinceStart(at), id, next_stamp_);
  return next_stamp_;
}

// Cancels the entry of the list with this stamp.
void Run::DropEntry(std::uint32_t& stamp) {
  static constexpr std::size_t kFewStale = 64;
  if (stamp == 0) {
    return;
  }
  stamp = 0;
  ++stale_;
  if (stale_ > kFewStale && stale_ > list_.size() / 2) {
    SweepList();
  }
}

bool Run::Holds(const EventList::Entry& entry) const {
  const bool is_resource = (entry.id & kResourceBit) != 0;
  return entry.stamp == (is_resource
                             ? resources_[entry.id & ~kResourceBit].stamp
                             : (*nodes_)[entry.id].stamp);
}

void Run::SweepList() {
  list_.Sweep([this](const EventList::Entry& entry) { return Holds(entry); });
  stale_ = 0;
}

void Run::AddOpen(ConditionWait& condition) {
  if (condition.open_index == kNoIndex) {
    condition.open_index = static_cast<std::uint32_t>(open_.size());
    open_.push_back(&condition);
  }
}

// Moves the last one to its place.
void Run::RemoveOpen(ConditionWait& condition) noexcept {
  const std::uint32_t place = condition.open_index;
  if (place != kNoIndex) {
    open_[place] = open_.back();
    open_[place]->open_index = place;
    open_.pop_back();
    condition.open_index = kNoIndex;
  }
}

}  // namespace orrery::process::internal
