#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "orrery/base/time.h"

namespace orrery::devs {

/// The order in which waiting jobs are served.
enum class Discipline : std::uint8_t {
  kFirstComeFirstServed,
  kLastComeFirstServed,
  /// The lowest priority number first, as in `queueing`; of equals, the first
  /// to arrive.
  kPriority,
};

/// A priority queue in the state of a model. Push and Pop take O(log size).
template <typename T>
class WaitingLine {
 public:
  struct Entry {
    T item;
    Duration arrival{};       ///< On the clock of the owner of the line.
    double key = 0;           ///< The highest is served first;
    std::int64_t number = 0;  ///< of equal keys the lowest number.
  };

  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }

  [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }

  /// Precondition: not empty().
  [[nodiscard]] const Entry& front() const { return heap_.front(); }

  /// @param priority counts for Discipline::kPriority.
  void Push(T item, Duration arrival, Discipline discipline, double priority) {
    const bool is_last_first = discipline == Discipline::kLastComeFirstServed;
    const double key = discipline == Discipline::kPriority ? priority : 0;
    const std::int64_t number = is_last_first ? -num_pushed_ : num_pushed_;
    ++num_pushed_;
    heap_.push_back({std::move(item), arrival, key, number});
    std::push_heap(heap_.begin(), heap_.end(), &ComesLater);
  }

  /// Precondition: not empty().
  Entry Pop() {
    std::pop_heap(heap_.begin(), heap_.end(), &ComesLater);
    Entry result = std::move(heap_.back());
    heap_.pop_back();
    return result;
  }

 private:
  static bool ComesLater(const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key > b.key : a.number > b.number;
  }

  std::vector<Entry> heap_;
  std::int64_t num_pushed_ = 0;
};

}  // namespace orrery::devs
