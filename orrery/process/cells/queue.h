#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/values/record.h"
#include "orrery/process/cells/describe.h"
#include "orrery/process/cells/least_interleaving.h"

namespace orrery::process {

/// A cell type: a first-in, first-out queue.
///
/// An effect is a number of pops and a sequence of pushes. Their order in time
/// does not matter:
///
///     items, then effect  =  (items + pushed) without the first `pops`
///
/// - In sequence pops add up and pushes follow each other: a pop takes an item
///   that was pushed before it in the same step if no older one is left.
/// - A pop of an empty queue is owed: the next pushes pay for it. It is a
///   conflict. `needs` is the length below which that happens.
/// - Concurrent pushes are interleaved as the entries of a Log.
/// - Concurrent pops, not seeing each other, all took the same items: only the
///   greatest number of them counts, and it is a conflict.
///
/// A conflict stays: from then on the queue and its tasks disagree.
template <std::totally_ordered T>
class Queue {
 public:
  struct Effect {
    internal::LeastInterleaving<T> pushed;
    std::int64_t pops = 0;
    std::int64_t needs = 0;  ///< The least length with which no pop is owed.
    bool conflict = false;   ///< There were concurrent pops.

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {push: "a"}, {pop: 2}; of several {push.1: "a", push.2: "b"}.
    void Describe(Record& record) const {
      const std::vector<T> sequence = pushed.Sequence();
      for (std::size_t i = 0; i < sequence.size(); ++i) {
        const T& item = sequence[i];
        internal::Describe(
            record, internal::NameOfOne("push", i, sequence.size()), item);
      }
      if (pops != 0) {
        record.Add("pop", pops);
      }
      if (conflict) {
        record.Add("conflict", true);
      }
    }
  };

  explicit Queue(const std::vector<T>& items = {})
      : items_(items.begin(), items.end()) {}

  static Effect Pushing(T item) {
    Effect effect;
    effect.pushed = internal::LeastInterleaving<T>(std::move(item));
    return effect;
  }

  /// @throws Error kInvalidArgument for a negative number or more than 2^31.
  static Effect Popping(std::int64_t number = 1) {
    if (number < 0 || number > std::int64_t{1} << 31) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot pop " + std::to_string(number) +
                      " items of a queue: it is not a number of items from 0 "
                      "to 2^31; pop as many as there are");
    }
    Effect effect;
    effect.pops = number;
    effect.needs = number;
    return effect;
  }

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect first, Effect second) {
    first.needs = std::max(
        first.needs, second.needs + first.pops - std::ssize(first.pushed));
    first.pops += second.pops;
    first.conflict = first.conflict || second.conflict;
    first.pushed.Follow(std::move(second.pushed));
    return first;
  }

  static Effect Concurrently(Effect a, Effect b) {
    a.conflict = a.conflict || b.conflict || (a.pops > 0 && b.pops > 0);
    a.pops = std::max(a.pops, b.pops);
    a.needs = std::max(a.needs, b.needs);
    a.pushed.Join(std::move(b.pushed));
    return a;
  }

  void Apply(Effect effect) {
    conflict_ = conflict_ || effect.conflict ||
                std::ssize(items_) - owed_ < effect.needs;
    std::vector<T> sequence = std::move(effect.pushed).Sequence();
    items_.insert(items_.end(),
                  std::make_move_iterator(sequence.begin()),
                  std::make_move_iterator(sequence.end()));
    owed_ += effect.pops;
    const std::int64_t paid = std::min<std::int64_t>(owed_, std::ssize(items_));
    items_.erase(items_.begin(), items_.begin() + paid);
    owed_ -= paid;
  }

  struct Undo {
    std::vector<T> popped;    ///< Popped from the items before the effect.
    std::int64_t pushed = 0;  ///< Pushed and not popped again.
    std::int64_t owed = 0;
    bool conflict = false;
  };

  [[nodiscard]] Undo Before(const Effect& effect) const {
    const auto size = std::ssize(items_);
    const auto pushed = std::ssize(effect.pushed);
    const std::int64_t paid =
        std::min<std::int64_t>(owed_ + effect.pops, size + pushed);
    const std::int64_t old = std::min<std::int64_t>(paid, size);
    return {.popped = std::vector<T>(items_.begin(), items_.begin() + old),
            .pushed = pushed - (paid - old),
            .owed = owed_,
            .conflict = conflict_};
  }

  void Revert(Undo undo) {
    items_.erase(items_.end() - undo.pushed, items_.end());
    items_.insert(items_.begin(),
                  std::make_move_iterator(undo.popped.begin()),
                  std::make_move_iterator(undo.popped.end()));
    owed_ = undo.owed;
    conflict_ = undo.conflict;
  }

  /// The items, the oldest first.
  [[nodiscard]] const std::deque<T>& Value() const { return items_; }

  /// The number of pops that the next pushes will pay for.
  [[nodiscard]] std::int64_t owed() const { return owed_; }

  [[nodiscard]] bool HasConflict() const { return conflict_; }

  friend bool operator==(const Queue&, const Queue&) = default;

 private:
  std::deque<T> items_;
  std::int64_t owed_ = 0;  // Zero while there are items.
  bool conflict_ = false;
};

}  // namespace orrery::process
