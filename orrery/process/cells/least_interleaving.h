#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace orrery::process::internal {

/// Concurrent sequences, of tasks that did not see each other. Together they
/// stand for one sequence: the lexicographically least of their interleavings.
///
/// That sequence does not depend on the order of the strands. Nor does it
/// depend on their grouping: the least interleaving of least interleavings is
/// the least of all, as a lesser part gives a lesser whole. It is made only on
/// request.
template <std::totally_ordered T>
class LeastInterleaving {
 public:
  LeastInterleaving() = default;

  explicit LeastInterleaving(T entry) { entries_.push_back(std::move(entry)); }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// Appends `next` in sequence.
  void Follow(LeastInterleaving next) {
    Merge();
    next.Merge();
    Append(std::move(next.entries_));
  }

  /// Adds `other` concurrently.
  void Join(LeastInterleaving other) {
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

  /// The sequence that the strands stand for.
  [[nodiscard]] std::vector<T> Sequence() && {
    Merge();
    return std::move(entries_);
  }

  [[nodiscard]] std::vector<T> Sequence() const& {
    return LeastInterleaving(*this).Sequence();
  }

  /// True if both stand for the same sequence.
  friend bool operator==(const LeastInterleaving& a,
                         const LeastInterleaving& b) {
    return a.size() == b.size() && a.Sequence() == b.Sequence();
  }

 private:
  /// The remainder of a strand.
  struct Rest {
    std::size_t next;
    std::size_t end;
  };

  void Append(std::vector<T> entries) {
    entries_.insert(entries_.end(),
                    std::make_move_iterator(entries.begin()),
                    std::make_move_iterator(entries.end()));
  }

  using Indices = std::vector<std::size_t>;

  // Numbers the indices in `order` from 0 on; equal entries get equal numbers.
  template <typename Before>
  static void Number(const Indices& order, const Before& before, Indices& to) {
    std::size_t number = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k > 0 && before(order[k - 1], order[k])) {
        ++number;
      }
      to[order[k]] = number;
    }
  }

  // For each entry, the rank of the rest of its strand among all rests, in
  // lexicographical order with an end marker greater than all entries: of two
  // rests, one of which is a prefix of the other, the longer comes first.
  //
  // Source: U. Manber, G. Myers, Suffix arrays: a new method for on-line string
  // searches, 1993: by the next 1, 2, 4, ... entries.
  [[nodiscard]] Indices RanksOfRests(const std::vector<Rest>& strands) const {
    const std::size_t n = size();
    Indices ends(n);
    std::size_t longest = 0;
    for (const Rest& strand : strands) {
      std::fill_n(ends.begin() + static_cast<std::ptrdiff_t>(strand.next),
                  strand.end - strand.next,
                  strand.end);
      longest = std::max(longest, strand.end - strand.next);
    }
    // A heap sort: values without an order (NaN) may spoil the result but
    // nothing else.
    const auto less = [this](std::size_t a, std::size_t b) {
      return entries_[a] < entries_[b];
    };
    Indices order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::make_heap(order.begin(), order.end(), less);
    std::sort_heap(order.begin(), order.end(), less);
    Indices ranks(n);
    Number(order, less, ranks);
    Indices finer(n);
    for (std::size_t length = 1;
         length < longest && ranks[order.back()] + 1 < n;
         length *= 2) {
      const auto after = [&](std::size_t i) {
        return length < ends[i] - i ? ranks[i + length] : n;
      };
      const auto before = [&](std::size_t a, std::size_t b) {
        return ranks[a] != ranks[b] ? ranks[a] < ranks[b] : after(a) < after(b);
      };
      std::ranges::sort(order, before);
      Number(order, before, finer);
      ranks.swap(finer);
    }
    return ranks;
  }

  [[nodiscard]] std::vector<Rest> Parts() const {
    std::vector<Rest> strands;
    strands.reserve(starts_.size() + 1);
    std::size_t begin = 0;
    for (const std::size_t start : starts_) {
      strands.push_back({.next = begin, .end = start});
      begin = start;
    }
    strands.push_back({.next = begin, .end = size()});
    return strands;
  }

  // Repeatedly takes the next entry of the strand with the least rest.
  void Merge() {
    if (starts_.empty()) {
      return;
    }
    std::vector<Rest> heap = Parts();
    const Indices ranks = RanksOfRests(heap);
    const auto after = [&ranks](const Rest& a, const Rest& b) {
      return ranks[a.next] > ranks[b.next];
    };
    std::make_heap(heap.begin(), heap.end(), after);
    std::vector<T> merged;
    merged.reserve(size());
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), after);
      Rest& least = heap.back();
      merged.push_back(std::move(entries_[least.next]));
      if (++least.next < least.end) {
        std::push_heap(heap.begin(), heap.end(), after);
      } else {
        heap.pop_back();
      }
    }
    entries_ = std::move(merged);
    starts_.clear();
  }

  std::vector<T> entries_;           // Strand after strand.
  std::vector<std::size_t> starts_;  // The first strand starts at 0.
};

}  // namespace orrery::process::internal
