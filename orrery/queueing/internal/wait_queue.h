#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace orrery::queueing::internal {

/// A first-come, first-served list, linked by the members `previous` and `next`
/// of its elements, which must not move.
template <typename T>
class WaitQueue {
 public:
  [[nodiscard]] T* first() const noexcept { return first_; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  void Add(T& one) noexcept {
    one.previous = last_;
    one.next = nullptr;
    (last_ == nullptr ? first_ : last_->next) = &one;
    last_ = &one;
    ++size_;
  }

  void Remove(T& one) noexcept {
    (one.previous == nullptr ? first_ : one.previous->next) = one.next;
    (one.next == nullptr ? last_ : one.next->previous) = one.previous;
    --size_;
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
  std::size_t size_ = 0;
};

/// A priority queue, ordered by `Before`: a binary heap whose elements know
/// their `position`.
template <typename T, typename Before>
class OrderedWaitQueue {
 public:
  [[nodiscard]] T* first() const noexcept {
    return heap_.empty() ? nullptr : heap_.front();
  }

  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }

  /// All elements, in any order.
  [[nodiscard]] std::span<T* const> all() const noexcept { return heap_; }

  void Add(T& one) {
    heap_.push_back(&one);
    Rise(heap_.size() - 1, one);
  }

  void Remove(T& one) noexcept {
    T& last = *heap_.back();
    heap_.pop_back();
    if (&last != &one) {
      const std::size_t hole = one.position;
      if (hole > 0 && IsBefore(last, *heap_[(hole - 1) / 2])) {
        Rise(hole, last);
      } else {
        Sink(hole, last);
      }
    }
  }

 private:
  static bool IsBefore(const T& a, const T& b) noexcept {
    return Before()(a, b);
  }

  void Put(std::size_t at, T& one) noexcept {
    heap_[at] = &one;
    one.position = at;
  }

  void Rise(std::size_t hole, T& one) noexcept {
    while (hole > 0 && IsBefore(one, *heap_[(hole - 1) / 2])) {
      Put(hole, *heap_[(hole - 1) / 2]);
      hole = (hole - 1) / 2;
    }
    Put(hole, one);
  }

  void Sink(std::size_t hole, T& one) noexcept {
    for (;;) {
      std::size_t child = 2 * hole + 1;
      if (child >= heap_.size()) {
        break;
      }
      if (child + 1 < heap_.size() &&
          IsBefore(*heap_[child + 1], *heap_[child])) {
        ++child;
      }
      if (!IsBefore(*heap_[child], one)) {
        break;
      }
      Put(hole, *heap_[child]);
      hole = child;
    }
    Put(hole, one);
  }

  std::vector<T*> heap_;
};

struct MoreUrgent {
  template <typename T>
  bool operator()(const T& a, const T& b) const noexcept {
    return a.priority != b.priority ? a.priority < b.priority
                                    : a.order() < b.order();
  }
};

/// The least `priority` first; among equals, the one whose `order()` is less.
template <typename T>
using PriorityWaitQueue = OrderedWaitQueue<T, MoreUrgent>;

}  // namespace orrery::queueing::internal
