#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/containers/event_list.h"
#include "orrery/base/time.h"
#include "orrery/process/run/node.h"

namespace orrery::process::internal {

/// The time of a run, and the times at which its tasks go on and its resources
/// are sampled. A task or resource has one time at most: its entry in the list
/// counts as long as both have the same stamp.
class Calendar {
 public:
  static constexpr Duration kNever = Duration::max();

  /// A copy of it in a snapshot.
  struct Saved {
    Duration now{};
    Duration horizon{};
    Duration last_due{};
    EventList list;
    std::uint32_t next_stamp = 0;
    std::size_t stale = 0;
    std::vector<std::uint32_t> sample_stamps;
  };

  /// @param start the time at which the run begins.
  explicit Calendar(Duration start);

  /// Sets the records of the tasks, which have the stamps.
  void SetTasks(NodePool& tasks) noexcept { tasks_ = &tasks; }

  [[nodiscard]] Duration now() const noexcept { return now_; }

  void SetNow(Duration now) noexcept { now_ = now; }

  /// The time up to which the run goes, as far as known.
  [[nodiscard]] Duration horizon() const noexcept { return horizon_; }

  void SetHorizon(Duration horizon) noexcept { horizon_ = horizon; }

  /// The time from now to the horizon.
  [[nodiscard]] Duration time_left() const noexcept {
    return horizon_ == kNever ? horizon_ : horizon_ - now_;
  }

  /// The time `delay` from now; if that is too late for the list, its end.
  [[nodiscard]] Duration TimeAfter(Duration delay) const noexcept {
    return delay < end_of_time_ - now_ ? now_ + delay : end_of_time_;
  }

  /// Schedules a task that has no time.
  void Schedule(Node& task, Duration at) { task.stamp = Add(at, task.index); }

  void ScheduleIn(Node& task, Duration delay) {
    Schedule(task, TimeAfter(delay));
  }

  /// Takes away the time of a task, if it has one.
  void Cancel(Node& task) { Drop(task.stamp); }

  /// Adds a resource.
  /// @returns its number.
  std::uint32_t AddResource();

  /// Schedules a sample of the resource `delay` from now, in the place of the
  /// one that was scheduled; Duration::max() is never.
  void ScheduleSample(std::uint32_t resource, Duration delay);

  /// The next time at which something is due; kNever if there is none.
  [[nodiscard]] Duration NextTime();

  /// Takes all that is due at `time`: first tasks that begin, in the order of
  /// the plan, then all others in the order of scheduling. So it does not
  /// matter when the plan became known.
  /// @param place_in_plan returns the place of a task that is to begin.
  /// @param on_task is called with the task, which has no time any more.
  /// @param on_resource is called with the number of the resource.
  template <typename Place, typename OnTask, typename OnResource>
  void TakeDue(Duration time,
               Place place_in_plan,
               OnTask on_task,
               OnResource on_resource) {
    const std::span<EventList::Entry> due = list_.Pop(SinceStart(time));
    if (due.empty()) {
      return;
    }
    last_due_ = time;
    PrefetchNear();
    if (due.size() > 1) {
      std::ranges::sort(due, {}, [&](const EventList::Entry& entry) {
        return IsOfBeginning(entry) ? place_in_plan(entry.id)
                                    : kAfterPlan + entry.stamp;
      });
    }
    for (const EventList::Entry& entry : due) {
      if (!Counts(entry)) {
        --stale_;
      } else if (IsOfResource(entry)) {
        const std::uint32_t resource = entry.id & ~kResourceBit;
        sample_stamps_[resource] = 0;
        on_resource(resource);
      } else {
        Node& task = (*tasks_)[entry.id];
        task.stamp = 0;
        on_task(task);
      }
    }
  }

  [[nodiscard]] Saved Save() const;
  void Restore(const Saved& saved);

 private:
  // Distinguishes resources from tasks in the ids of the list of events.
  static constexpr std::uint32_t kResourceBit = std::uint32_t{1} << 31U;
  // Above the places of all activities of a plan.
  static constexpr std::uint64_t kAfterPlan = std::uint64_t{1} << 32U;

  [[nodiscard]] static bool IsOfResource(const EventList::Entry& entry) {
    return (entry.id & kResourceBit) != 0;
  }

  [[nodiscard]] bool Counts(const EventList::Entry& entry) const {
    return entry.stamp == (IsOfResource(entry)
                               ? sample_stamps_[entry.id & ~kResourceBit]
                               : (*tasks_)[entry.id].stamp);
  }

  // True for an activity of a plan that is to begin.
  [[nodiscard]] bool IsOfBeginning(const EventList::Entry& entry) const {
    if (IsOfResource(entry) || !Counts(entry)) {
      return false;
    }
    const Node& task = (*tasks_)[entry.id];
    return task.is_planned && task.is_to_begin;
  }

  // The time as the list has it, where no time is negative. Times are distinct
  // up to 292 years after the start.
  [[nodiscard]] std::int64_t SinceStart(Duration time) const noexcept {
    std::int64_t since = 0;
    return __builtin_sub_overflow(time.count(), start_.count(), &since)
               ? EventList::kNever
               : since;
  }

  std::uint32_t Add(Duration at, std::uint32_t id);
  void Drop(std::uint32_t& stamp);
  void Sweep();
  void PrefetchNear();

  NodePool* tasks_ = nullptr;
  EventList list_;
  std::uint32_t next_stamp_ = 0;
  std::size_t stale_ = 0;  // Entries of the list that no longer count.
  std::uint32_t num_refills_ = 0;
  Duration start_;
  Duration last_due_;     // The time last taken from the list.
  Duration end_of_time_;  // Times from here on do not fit the list.
  Duration now_;
  Duration horizon_ = kNever;
  std::vector<std::uint32_t> sample_stamps_;  // By resource; 0: none.
};

}  // namespace orrery::process::internal
