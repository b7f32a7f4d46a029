#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace orrery::process::internal {

/// Sequences side by side, of tasks that did not see each other, which stand
/// for one: of all ways to interleave them, the least as dictionaries have it.
///
/// That makes of two sequences one that does not depend on which is which, and
/// of several one that does not depend on how they are grouped: the least
/// interleaving of least interleavings is the least of all, as a lesser part
/// gives a lesser whole. It is made only when it is asked for.
template <std::totally_ordered T>
class Strands {
 public:
  Strands() = default;

  explicit Strands(T entry) { entries_.push_back(std::move(entry)); }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// This, then `next`.
  void Follow(Strands next) {
    Merge();
    next.Merge();
    Append(std::move(next.entries_));
  }

  /// This beside `other`.
  void Join(Strands other) {
    if (other.size() > size()) {
      std::swap(*this, other);
    }
    if (other.entries_.empty()) {
      return;
    }
    const std::size_t offset = size();
    starts_.push_back(offset);
    for (const std::size_t start : other.starts_) {
      starts_.push_back(offset + start);
    }
    Append(std::move(other.entries_));
  }

  /// The one sequence that they stand for.
  [[nodiscard]] std::vector<T> Sequence() && {
    Merge();
    return std::move(entries_);
  }

  [[nodiscard]] std::vector<T> Sequence() const& {
    return Strands(*this).Sequence();
  }

  /// Whether they stand for the same sequence.
  friend bool operator==(const Strands& a, const Strands& b) {
    return a.size() == b.size() && a.Sequence() == b.Sequence();
  }

 private:
  /// What is left of a strand.
  struct Rest {
    std::size_t next;
    std::size_t end;
  };

  void Append(std::vector<T> entries) {
    entries_.insert(entries_.end(),
                    std::make_move_iterator(entries.begin()),
                    std::make_move_iterator(entries.end()));
  }

  // Whether the strand `a` is to go on after `b`: the end is greater than any
  // entry, so that of two with equal beginnings the longer goes first if it
  // goes on below what comes next, and either if both are the same.
  [[nodiscard]] bool IsAfter(Rest a, Rest b) const {
    while (a.next < a.end && b.next < b.end) {
      if (entries_[a.next] < entries_[b.next]) {
        return false;
      }
      if (entries_[b.next] < entries_[a.next]) {
        return true;
      }
      ++a.next;
      ++b.next;
    }
    return a.next == a.end && b.next < b.end;
  }

  // Takes what is least of all strands again and again. A heap, and no sort:
  // values without an order (NaN) may spoil the result but nothing else.
  void Merge() {
    if (starts_.empty()) {
      return;
    }
    const auto after = [this](const Rest& a, const Rest& b) {
      return IsAfter(a, b);
    };
    std::vector<Rest> heap;
    heap.reserve(starts_.size() + 1);
    std::size_t begin = 0;
    for (const std::size_t start : starts_) {
      heap.push_back({.next = begin, .end = start});
      begin = start;
    }
    heap.push_back({.next = begin, .end = size()});
    std::make_heap(heap.begin(), heap.end(), after);

    std::vector<std::size_t> order;
    order.reserve(size());
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), after);
      order.push_back(heap.back().next);
      if (++heap.back().next < heap.back().end) {
        std::push_heap(heap.begin(), heap.end(), after);
      } else {
        heap.pop_back();
      }
    }
    std::vector<T> merged;
    merged.reserve(size());
    for (const std::size_t from : order) {
      merged.push_back(std::move(entries_[from]));
    }
    entries_ = std::move(merged);
    starts_.clear();
  }

  std::vector<T> entries_;           // Strand after strand.
  std::vector<std::size_t> starts_;  // Of all strands but the first.
};

}  // namespace orrery::process::internal
