#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace orrery {

/// Entries by time: a ladder queue (Tang, Goh & Thng, "Ladder queue: an O(1)
/// priority queue structure for large-scale discrete event simulation", ACM
/// Trans. Model. Comput. Simul. 15 (2005) 175). The nearest entries are sorted.
/// Those after them lie in rungs of buckets, each rung within one bucket of the
/// rung before it. Entries later than all rungs lie in an unordered heap, from
/// which the next first rung is made. A rung has about as many buckets as
/// entries. Adding and popping therefore cost O(1), amortised, for any
/// distribution of times, and O(log n) if entries come ever earlier. A bucket
/// of a single time is handed out whole.
///
/// An entry cannot be removed. Its user checks on popping if it is still valid,
/// perhaps by its stamp.
class EventList {
 public:
  struct Entry {
    std::int64_t time;
    std::uint32_t id;     ///< Identifies the owner.
    std::uint32_t stamp;  ///< For the owner; does not affect the order.

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  static constexpr std::int64_t kNever =
      std::numeric_limits<std::int64_t>::max();

  /// @param time not negative, below kNever.
  void Add(std::int64_t time, std::uint32_t id, std::uint32_t stamp = 0) {
    ++size_;
    if (time < near_end_) {
      AddNear({.time = time, .id = id, .stamp = stamp});
    } else {
      AddFar({.time = time, .id = id, .stamp = stamp});
    }
  }

  /// The least time; kNever if it is empty.
  [[nodiscard]] std::int64_t NextTime() {
    FillNear();
    const std::int64_t near =
        first_ == near_.size() ? kNever : near_[first_].time;
    const std::int64_t batch = batch_.empty() ? kNever : batch_time_;
    return near < batch ? near : batch;
  }

  /// The next entries, in order, for prefetching.
  [[nodiscard]] std::span<const Entry> near() const noexcept {
    return std::span(near_).subspan(first_);
  }

  /// Number of times that near() was refilled.
  [[nodiscard]] std::uint32_t num_refills() const noexcept {
    return num_refills_;
  }

  /// Takes all entries of `time`, if that is the least time, in an arbitrary
  /// order. They may be changed, and are valid until the next call.
  [[nodiscard]] std::span<Entry> Pop(std::int64_t time) {
    FillNear();
    if (!batch_.empty() && batch_time_ == time) {
      return PopBatch();
    }
    const std::size_t first = first_;
    while (first_ < near_.size() && near_[first_].time == time) {
      ++first_;
    }
    size_ -= first_ - first;
    return std::span(near_).subspan(first, first_ - first);
  }

  /// Moves the ids of all entries of the least time, `time`, to the end of
  /// `ids`.
  void Pop(std::int64_t time, std::vector<std::uint32_t>& ids);

  /// Drops entries from the front, up to the first one with `holds(entry)`.
  /// @returns their number.
  template <typename Holds>
  std::size_t DropFirst(Holds holds) {
    const std::size_t before = size_;
    for (std::int64_t time = NextTime(); time != kNever; time = NextTime()) {
      const bool is_in_batch = !batch_.empty() && batch_time_ == time;
      if (holds(is_in_batch ? EntryOf(batch_.back()) : near_[first_])) {
        break;
      }
      if (is_in_batch) {
        batch_.pop_back();
      } else {
        ++first_;
      }
      --size_;
    }
    return before - size_;
  }

  /// Entries that were added and not popped.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Drops the entries without `holds(entry)`.
  template <typename Holds>
  void Sweep(Holds holds) {
    std::vector<Entry> kept;
    kept.reserve(size_);
    ForEach([&](const Entry& entry) {
      if (holds(entry)) {
        kept.push_back(entry);
      }
    });
    Clear();
    for (const Entry& entry : kept) {
      Add(entry.time, entry.id, entry.stamp);
    }
  }

  void Clear();

 private:
  // The number of the first chunk, times four, plus its number of entries; 0 if
  // there are none. Chunks after the first are full.
  using Bucket = std::uint32_t;

  static constexpr std::uint32_t kNone =
      std::numeric_limits<std::uint32_t>::max();

  struct alignas(64) Chunk {
    static constexpr std::uint32_t kRoom = 3;
    std::array<Entry, kRoom> entries;
    Bucket next;
  };

  // Times from `floor` to `end`, which is excluded; the last bucket ends there.
  struct Rung {
    std::int64_t start = 0;
    std::int64_t floor = 0;  // The start of the first remaining bucket.
    std::int64_t end = 0;
    unsigned shift = 0;  // Widths are powers of two.
    std::size_t current = 0;
    std::size_t size = 0;  // Number of entries.
    std::size_t num_buckets = 0;
    std::vector<Bucket> buckets;

    [[nodiscard]] std::int64_t StartOf(std::size_t bucket) const {
      return bucket < num_buckets
                 ? start + static_cast<std::int64_t>(bucket << shift)
                 : end;
    }
  };

  // An entry of batch_time_.
  struct Due {
    std::uint32_t id;
    std::uint32_t stamp;
  };

  std::span<Entry> PopBatch();
  void AddNear(Entry entry);
  void AddFar(Entry entry);
  void AddToRung(Rung& rung, Entry entry);
  void AddTo(Bucket& bucket, Entry entry);
  Bucket BeginChunk(Bucket next);
  Rung& NewRung(std::int64_t least,
                std::int64_t most,
                std::int64_t end,
                std::size_t size);
  void Spill();

  void FillNear() {
    if (first_ == near_.size() && batch_.empty()) {
      Refill();
    }
  }

  void Refill();
  void TakeTop();
  bool TakeBucket();
  bool CopyToNear(Bucket bucket);
  std::size_t TakeMany(Bucket bucket, std::int64_t end);
  void Release(Bucket bucket);

  [[nodiscard]] Entry EntryOf(const Due& due) const {
    return {.time = batch_time_, .id = due.id, .stamp = due.stamp};
  }

  template <typename Function>
  void ForEachIn(Bucket bucket, Function function) const {
    for (Bucket at = bucket; at != 0; at = chunks_[at / 4].next) {
      for (std::uint32_t i = 0; i < at % 4; ++i) {
        function(chunks_[at / 4].entries[i]);
      }
    }
  }

  template <typename Function>
  void ForEach(Function function) const {
    for (const Due& due : batch_) {
      function(EntryOf(due));
    }
    for (const Entry& entry : near()) {
      function(entry);
    }
    for (std::size_t i = 0; i < depth_; ++i) {
      for (const Bucket bucket : rungs_[i].buckets) {
        ForEachIn(bucket, function);
      }
    }
    ForEachIn(top_, function);
  }

  std::size_t size_ = 0;
  std::uint32_t num_refills_ = 0;
  // All entries before near_end_, sorted, from first_ on.
  std::vector<Entry> near_;
  std::size_t first_ = 0;
  std::int64_t near_end_ = 0;
  std::vector<Due> batch_;  // In addition to these.
  std::int64_t batch_time_ = 0;
  std::vector<Entry> popped_;  // Valid after popping a batch.
  // Entries from near_end_ to top_start_. The deepest rung is the last one, and
  // the first in time.
  std::vector<Rung> rungs_;
  std::size_t depth_ = 0;
  // Entries from top_start_ on.
  Bucket top_ = 0;
  std::size_t top_size_ = 0;
  std::int64_t top_start_ = 0;
  std::int64_t top_least_ = kNever;
  std::int64_t top_most_ = 0;
  std::vector<Chunk> chunks_;
  std::uint32_t free_chunk_ = kNone;
  std::vector<Entry> spilled_;
};

}  // namespace orrery
