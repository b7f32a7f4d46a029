#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "orrery/base/values/record.h"
#include "orrery/process/cells/assignment.h"
#include "orrery/process/cells/by_key.h"
#include "orrery/process/cells/describe.h"

namespace orrery::process {

/// A cell type: values by keys, which are put and erased. Each key is like a
/// Register. In sequence the last effect counts. Concurrent equal values agree;
/// with different ones the key keeps its value and is in conflict until it is
/// put or erased again. A put wins over a concurrent erase.
template <std::totally_ordered K, std::equality_comparable V>
class Map {
 public:
  /// The effect on one key: a value is put, or none, which erases.
  using Change = internal::Assignment<std::optional<V>>;

  struct Effect {
    std::map<K, Change> changes;

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {put.key: "a", put.value: 5}, {erase: "a"}, {conflict: "a"}; of several
    /// {erase.1: "a", erase.2: "b"}.
    void Describe(Record& record) const {
      std::size_t i = 0;
      for (const auto& [key, change] : changes) {
        DescribeChange(record, key, change, i);
        ++i;
      }
    }

   private:
    void DescribeChange(Record& record,
                        const K& key,
                        const Change& change,
                        std::size_t index) const {
      const auto name = [&](const char* kind) {
        return internal::NameOfOne(kind, index, changes.size());
      };
      if (change.value && *change.value) {
        internal::Describe(record, name("put") + ".key", key);
        internal::Describe(record, name("put") + ".value", **change.value);
      } else if (change.value) {
        internal::Describe(record, name("erase"), key);
      }
      if (change.conflict) {
        internal::Describe(record, name("conflict"), key);
      }
    }
  };

  explicit Map(std::map<K, V> values = {}) : values_(std::move(values)) {}

  static Effect Putting(K key, V value) {
    return Changing(std::move(key), std::move(value));
  }

  static Effect Erasing(K key) {
    return Changing(std::move(key), std::nullopt);
  }

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect first, Effect second) {
    return {.changes = internal::JoinedByKey(std::move(first.changes),
                                             std::move(second.changes),
                                             Change::Sequentially)};
  }

  static Effect Concurrently(Effect a, Effect b) {
    return {.changes = internal::JoinedByKey(
                std::move(a.changes), std::move(b.changes), Joined)};
  }

  void Apply(const Effect& effect) {
    for (const auto& [key, change] : effect.changes) {
      if (change.value) {
        Assign(key, *change.value);
      }
      if (change.conflict) {
        conflicts_.insert(key);
      }
    }
  }

  /// The effect that restores the keys.
  using Undo = Effect;

  [[nodiscard]] Undo Before(const Effect& effect) const {
    Undo undo;
    for (const auto& change : effect.changes) {
      const auto found = values_.find(change.first);
      undo.changes.emplace(
          change.first,
          Change{.value = found == values_.end()
                              ? std::optional<V>()
                              : std::optional<V>(found->second),
                 .conflict = conflicts_.contains(change.first)});
    }
    return undo;
  }

  void Revert(const Undo& undo) { Apply(undo); }

  [[nodiscard]] const std::map<K, V>& Value() const { return values_; }

  /// The keys that are in conflict.
  [[nodiscard]] const std::set<K>& conflicts() const { return conflicts_; }

  [[nodiscard]] bool HasConflict() const { return !conflicts_.empty(); }

  friend bool operator==(const Map&, const Map&) = default;

 private:
  static Effect Changing(K key, std::optional<V> value) {
    Effect effect;
    effect.changes.emplace(std::move(key), Change{.value = std::move(value)});
    return effect;
  }

  // An erasure alone yields to anything: in the lattice it lies just above no
  // effect, and below all effects that a register would join.
  static Change Joined(Change a, Change b) {
    const Change erasure{.value = std::optional<V>()};
    if (a == erasure) {
      return b;
    }
    if (b == erasure) {
      return a;
    }
    return Change::Concurrently(std::move(a), std::move(b));
  }

  void Assign(const K& key, const std::optional<V>& value) {
    conflicts_.erase(key);
    if (value) {
      values_.insert_or_assign(key, *value);
    } else {
      values_.erase(key);
    }
  }

  std::map<K, V> values_;
  std::set<K> conflicts_;
};

}  // namespace orrery::process
