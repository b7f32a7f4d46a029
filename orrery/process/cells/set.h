#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "orrery/base/values/record.h"
#include "orrery/process/cells/by_key.h"
#include "orrery/process/cells/describe.h"

namespace orrery::process {

/// A cell type: a set that is inserted into and erased from. In sequence the
/// last counts for each element; concurrently an insertion wins over an
/// erasure, so that nothing is a conflict.
template <std::totally_ordered T>
class Set {
 public:
  struct Effect {
    std::map<T, bool> inserts;  ///< For each element: inserted or erased.

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {insert: 3}, {erase: 3}; of several {insert.1: 3, erase.2: 5}.
    void Describe(Record& record) const {
      std::size_t i = 0;
      for (const auto& [element, inserted] : inserts) {
        internal::Describe(
            record,
            internal::NameOfOne(
                inserted ? "insert" : "erase", i, inserts.size()),
            element);
        ++i;
      }
    }
  };

  explicit Set(std::set<T> elements = {}) : elements_(std::move(elements)) {}

  static Effect Inserting(T element) {
    return {.inserts = {{std::move(element), true}}};
  }

  static Effect Erasing(T element) {
    return {.inserts = {{std::move(element), false}}};
  }

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect first, Effect second) {
    return {.inserts = internal::JoinedByKey(
                std::move(first.inserts),
                std::move(second.inserts),
                [](bool /*before*/, bool after) { return after; })};
  }

  static Effect Concurrently(Effect a, Effect b) {
    return {.inserts = internal::JoinedByKey(
                std::move(a.inserts),
                std::move(b.inserts),
                [](bool here, bool there) { return here || there; })};
  }

  void Apply(const Effect& effect) {
    for (const auto& [element, inserted] : effect.inserts) {
      if (inserted) {
        elements_.insert(element);
      } else {
        elements_.erase(element);
      }
    }
  }

  /// The effect that is its contrary.
  using Undo = Effect;

  [[nodiscard]] Undo Before(const Effect& effect) const {
    Undo undo;
    for (const auto& change : effect.inserts) {
      undo.inserts.emplace(change.first, elements_.contains(change.first));
    }
    return undo;
  }

  void Revert(const Undo& undo) { Apply(undo); }

  [[nodiscard]] const std::set<T>& Value() const { return elements_; }

  friend bool operator==(const Set&, const Set&) = default;

 private:
  std::set<T> elements_;
};

}  // namespace orrery::process
