#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "orrery/base/values/record.h"
#include "orrery/process/cells/describe.h"
#include "orrery/process/cells/least_interleaving.h"

namespace orrery::process {

/// A cell type: a sequence of appended entries.
///
/// The entries of a task stay in their order. Concurrent entries are
/// interleaved to the lexicographically least sequence, which depends on the
/// entries only: "b, d" beside "a, z" gives "a, b, d, z". Hence the entries are
/// ordered; a struct gets its order by
/// `friend auto operator<=>(const S&, const S&) = default`.
template <std::totally_ordered T>
class Log {
 public:
  struct Effect {
    internal::LeastInterleaving<T> entries;

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {append: "a"}; of several {append.1: "a", append.2: "b"}.
    void Describe(Record& record) const {
      const std::vector<T> sequence = entries.Sequence();
      for (std::size_t i = 0; i < sequence.size(); ++i) {
        const T& entry = sequence[i];
        internal::Describe(
            record, internal::NameOfOne("append", i, sequence.size()), entry);
      }
    }
  };

  explicit Log(std::vector<T> entries = {}) : entries_(std::move(entries)) {}

  static Effect Appending(T entry) {
    return {.entries = internal::LeastInterleaving<T>(std::move(entry))};
  }

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect first, Effect second) {
    first.entries.Follow(std::move(second.entries));
    return first;
  }

  static Effect Concurrently(Effect a, Effect b) {
    a.entries.Join(std::move(b.entries));
    return a;
  }

  void Apply(Effect effect) {
    std::vector<T> sequence = std::move(effect.entries).Sequence();
    entries_.insert(entries_.end(),
                    std::make_move_iterator(sequence.begin()),
                    std::make_move_iterator(sequence.end()));
  }

  /// The number of entries.
  using Undo = std::size_t;

  [[nodiscard]] Undo Before(const Effect& /*effect*/) const {
    return entries_.size();
  }

  void Revert(Undo size) {
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(size),
                   entries_.end());
  }

  [[nodiscard]] const std::vector<T>& Value() const { return entries_; }

  friend bool operator==(const Log&, const Log&) = default;

 private:
  std::vector<T> entries_;
};

}  // namespace orrery::process
