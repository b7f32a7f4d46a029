#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/base/containers/event_list.h"
#include "orrery/base/time.h"
#include "orrery/devs/engine/model_table.h"
#include "orrery/devs/modeling/bag.h"

namespace orrery::devs::internal {

/// The time of a run, and the times of the next internal transitions of its
/// models.
class Schedule {
 public:
  static constexpr std::int64_t kNever = EventList::kNever;

  /// @param models and `mail` must outlive it.
  Schedule(ModelTable& models, const Mail& mail) noexcept
      : models_(models), mail_(mail) {}

  [[nodiscard]] std::int64_t now() const noexcept { return now_; }

  void SetNow(std::int64_t now) noexcept { now_ = now; }

  /// The next time at which a model is due; kNever if there is none.
  [[nodiscard]] std::int64_t NextTime();

  /// Makes the models of NextTime() due, each once, if that is now.
  void TakeNext();

  /// Models that are due now; perhaps some twice, or no longer due, in classic
  /// DEVS.
  [[nodiscard]] std::vector<std::uint32_t>& due() noexcept { return due_; }

  [[nodiscard]] bool has_due() const noexcept { return !due_.empty(); }

  /// Sets the time of a model, with its slot, whose transition is now.
  /// @param advance its time advance, not negative.
  void Set(std::uint32_t model, Slot& slot, Duration advance) {
    const std::int64_t ticks = advance.count();
    slot.last = now_;
    const std::int64_t next = ticks < kNever - now_ ? now_ + ticks : kNever;
    if (next == now_) {
      live_ += slot.next == kNever ? 1U : 0U;
      slot.next = next;
      due_.push_back(model);
      return;
    }
    if (next == slot.next) {
      return;  // It is in the list already.
    }
    if (next == kNever) {
      --live_;
      slot.next = kNever;
      return;
    }
    live_ += slot.next == kNever ? 1U : 0U;
    slot.next = next;
    events_.Add(next, model);
    if (events_.size() > 2 * live_ + 64) {
      Sweep();
    }
  }

  /// Forgets what is due.
  void Clear() noexcept {
    due_.clear();
    next_.clear();
  }

  /// Builds the list from the times of the models.
  void Rebuild();

 private:
  void Sweep();
  void PrefetchNear();

  ModelTable& models_;
  const Mail& mail_;
  std::int64_t now_ = 0;
  EventList events_;
  std::size_t live_ = 0;  // The number of models that are not passive.
  // Models due at next_time_, already taken from events_. None of them has
  // changed since.
  std::vector<std::uint32_t> next_;
  std::int64_t next_time_ = kNever;
  std::uint32_t num_refills_ = 0;  // Refills of events_ seen so far.
  std::vector<std::uint32_t> due_;
};

}  // namespace orrery::devs::internal
