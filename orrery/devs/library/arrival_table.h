#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/base/time.h"

namespace orrery::devs {

/// The arrival times of messages by their numbers: part of the state of a
/// transducer. Messages of equal numbers are taken out in the order of their
/// arrival.
///
/// It allocates only to hold more messages than ever before. Open addressing
/// with linear probing: Knuth, "The Art of Computer Programming", vol. 3, 6.4,
/// algorithms L and R.
class ArrivalTable {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  void Insert(std::int64_t number, Duration arrival) {
    if (4 * (num_numbers_ + 1) > 3 * slots_.size()) {
      Grow();
    }
    Slot& slot = slots_[Find(number)];
    ++size_;
    if (slot.is_used) {
      Append(slot, arrival);
      return;
    }
    ++num_numbers_;
    slot = {.number = number, .arrival = arrival, .is_used = true};
  }

  /// Removes the first message of a number, and returns its arrival time;
  /// nothing if there is none.
  std::optional<Duration> Take(std::int64_t number) {
    if (size_ == 0) {
      return std::nullopt;
    }
    std::size_t hole = Find(number);
    if (!slots_[hole].is_used) {
      return std::nullopt;
    }
    --size_;
    const Duration arrival = slots_[hole].arrival;
    if (slots_[hole].first_after != kNone) {
      Advance(slots_[hole]);
      return arrival;
    }
    // Moves entries behind the hole into it that a search would no longer find.
    for (std::size_t i = Next(hole); slots_[i].is_used; i = Next(i)) {
      const std::size_t home = HomeOf(slots_[i].number);
      const std::size_t mask = slots_.size() - 1;
      if (((i - home) & mask) >= ((i - hole) & mask)) {
        slots_[hole] = slots_[i];
        hole = i;
      }
    }
    slots_[hole] = {};
    --num_numbers_;
    return arrival;
  }

 private:
  static constexpr std::uint32_t kNone =
      std::numeric_limits<std::uint32_t>::max();

  struct Slot {
    std::int64_t number = 0;
    Duration arrival{};  // Arrival of the first message.
    std::uint32_t first_after = kNone;
    std::uint32_t last_after = kNone;
    bool is_used = false;
  };

  // A further message of a number that is in the table.
  struct After {
    Duration arrival{};
    std::uint32_t next = kNone;
  };

  static constexpr std::size_t kFirstSize = 16;

  // Multiplies by the golden ratio (Knuth, 6.4): consecutive numbers fall far
  // apart.
  [[nodiscard]] std::size_t HomeOf(std::int64_t number) const {
    const auto hash =
        static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(hash >> 32U) & (slots_.size() - 1);
  }

  [[nodiscard]] std::size_t Next(std::size_t i) const {
    return (i + 1) & (slots_.size() - 1);
  }

  // The slot of a number, or the free slot for it.
  [[nodiscard]] std::size_t Find(std::int64_t number) const {
    std::size_t i = HomeOf(number);
    while (slots_[i].is_used && slots_[i].number != number) {
      i = Next(i);
    }
    return i;
  }

  void Append(Slot& slot, Duration arrival) {
    std::uint32_t index = free_after_;
    if (index == kNone) {
      index = static_cast<std::uint32_t>(after_.size());
      after_.emplace_back();
    } else {
      free_after_ = after_[index].next;
    }
    after_[index] = {.arrival = arrival};
    (slot.last_after == kNone ? slot.first_after
                              : after_[slot.last_after].next) = index;
    slot.last_after = index;
  }

  // Makes the second message of a number its first one.
  void Advance(Slot& slot) {
    const std::uint32_t index = slot.first_after;
    After& after = after_[index];
    slot.arrival = after.arrival;
    slot.first_after = std::exchange(after.next, free_after_);
    free_after_ = index;
    if (slot.first_after == kNone) {
      slot.last_after = kNone;
    }
  }

  void Grow() {
    const std::size_t size = slots_.empty() ? kFirstSize : 2 * slots_.size();
    const auto old = std::exchange(slots_, std::vector<Slot>(size));
    for (const Slot& slot : old) {
      if (slot.is_used) {
        slots_[Find(slot.number)] = slot;
      }
    }
  }

  std::vector<Slot> slots_;  // None or a power of two; some are unused.
  std::vector<After> after_;
  std::uint32_t free_after_ = kNone;  // The list of unused entries.
  std::size_t num_numbers_ = 0;
  std::size_t size_ = 0;
};

}  // namespace orrery::devs
