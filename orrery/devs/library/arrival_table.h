#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/base/time.h"

namespace orrery::devs {

/// When messages arrived, by their numbers: part of the state of a transducer.
/// It asks for memory only to hold more than it ever did. Open addressing with
/// linear probing: Knuth, "The Art of Computer Programming", vol. 3, 6.4,
/// algorithms L and R.
class ArrivalTable {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// A number that is there already has arrived anew.
  void Insert(std::int64_t number, Duration arrival) {
    if (4 * (size_ + 1) > 3 * slots_.size()) {
      Grow();
    }
    Slot& slot = slots_[Find(number)];
    size_ += slot.is_used ? 0 : 1;
    slot = {.number = number, .arrival = arrival, .is_used = true};
  }

  /// Takes a number out; nothing if it is not there.
  std::optional<Duration> Take(std::int64_t number) {
    if (size_ == 0) {
      return std::nullopt;
    }
    std::size_t hole = Find(number);
    if (!slots_[hole].is_used) {
      return std::nullopt;
    }
    const Duration arrival = slots_[hole].arrival;
    // Those behind the hole that a search would no longer find move into it.
    for (std::size_t i = Next(hole); slots_[i].is_used; i = Next(i)) {
      const std::size_t home = HomeOf(slots_[i].number);
      const std::size_t mask = slots_.size() - 1;
      if (((i - home) & mask) >= ((i - hole) & mask)) {
        slots_[hole] = slots_[i];
        hole = i;
      }
    }
    slots_[hole] = {};
    --size_;
    return arrival;
  }

 private:
  struct Slot {
    std::int64_t number = 0;
    Duration arrival{};
    bool is_used = false;
  };

  static constexpr std::size_t kFirstSize = 16;

  // By the golden ratio: Knuth, 6.4; numbers in a row fall far apart.
  [[nodiscard]] std::size_t HomeOf(std::int64_t number) const {
    const auto hash =
        static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(hash >> 32U) & (slots_.size() - 1);
  }

  [[nodiscard]] std::size_t Next(std::size_t i) const {
    return (i + 1) & (slots_.size() - 1);
  }

  // The slot of a number, or the free one where it would be.
  [[nodiscard]] std::size_t Find(std::int64_t number) const {
    std::size_t i = HomeOf(number);
    while (slots_[i].is_used && slots_[i].number != number) {
      i = Next(i);
    }
    return i;
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

  std::vector<Slot> slots_;  // None or a power of two, and some not used.
  std::size_t size_ = 0;
};

}  // namespace orrery::devs
