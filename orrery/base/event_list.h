#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace orrery {

/// What is due at which time, in two parts: a small heap of the nearest and a
/// radix heap of all others, whose buckets move into the heap as time comes
/// near (Ahuja, Mehlhorn, Orlin & Tarjan, "Faster algorithms for the
/// shortest path problem", J. ACM 37 (1990), 213; with digits of 8 bits). Times
/// never lie before one that was popped. A bucket of one time is handed out
/// whole. Adding and popping cost O(1) up to the number of digits that differ,
/// and at worst what a binary heap costs.
///
/// An entry cannot be removed: who pops it knows whether it still holds,
/// perhaps by its stamp.
class EventList {
 public:
  struct Entry {
    std::int64_t time;
    std::uint32_t id;     ///< Of what is due.
    std::uint32_t stamp;  ///< What its owner likes; plays no part in the order.

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  static constexpr std::int64_t kNever =
      std::numeric_limits<std::int64_t>::max();

  EventList();

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
    if (near_.empty() && batch_.empty()) {
      Refill();
    }
    const std::int64_t near = near_.empty() ? kNever : near_.front().time;
    const std::int64_t batch = batch_.empty() ? kNever : batch_time_;
    return near < batch ? near : batch;
  }

  /// Those that come next, for who wants to have them at hand; the first is the
  /// very next.
  [[nodiscard]] std::span<const Entry> near() const noexcept { return near_; }

  /// How often near() was filled anew.
  [[nodiscard]] std::uint32_t num_refills() const noexcept {
    return num_refills_;
  }

  /// Moves all entries of the least time, `time`, to the end of `entries`, in
  /// no order that means anything.
  void Pop(std::int64_t time, std::vector<Entry>& entries);

  /// The same, for who needs no more than their ids.
  void Pop(std::int64_t time, std::vector<std::uint32_t>& ids);

  /// Entries that were added and not popped.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Drops the entries for which not `holds(entry)`.
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
  static constexpr unsigned kDigitBits = 8;
  static constexpr unsigned kDigits = 8;
  static constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;
  static constexpr std::uint32_t kNone =
      std::numeric_limits<std::uint32_t>::max();

  // Entries of a bucket, linked; the first is the one that has room.
  struct Chunk {
    static constexpr std::uint32_t kRoom = 7;
    std::array<Entry, kRoom> entries;
    std::uint32_t count;
    std::uint32_t next;
  };

  // An entry of batch_time_.
  struct Due {
    std::uint32_t id;
    std::uint32_t stamp;
  };

  struct Bucket {
    std::uint32_t first = kNone;
    std::uint32_t size = 0;
  };

  struct Level {
    std::array<Bucket, kBuckets> buckets;
    std::array<std::uint64_t, kBuckets / 64> is_used{};
  };

  void AddNear(Entry entry);
  void PopNear();
  template <typename Out, typename Projection>
  void PopInto(std::int64_t time, Out& out, Projection projection);
  template <typename Out, typename Projection>
  void PopAllNear(std::int64_t time, Out& out, Projection projection);
  void AddFar(Entry entry);
  void Spill();
  void Refill();
  void Rebase(std::int64_t base);
  static unsigned LevelOf(std::int64_t difference);
  void TakeBucket();
  void FindBucket(unsigned& level, std::size_t& digit) const;
  void Spread(Level& from, std::size_t digit);
  void Lift(Level& from, std::size_t digit);
  void Release(Level& from, std::size_t digit);
  std::uint32_t NewChunk();

  [[nodiscard]] Entry EntryOf(const Due& due) const {
    return {.time = batch_time_, .id = due.id, .stamp = due.stamp};
  }

  template <typename Function>
  void ForEachIn(std::uint32_t first, Function function) const {
    for (std::uint32_t at = first; at != kNone; at = chunks_[at].next) {
      for (std::uint32_t i = 0; i < chunks_[at].count; ++i) {
        function(chunks_[at].entries[i]);
      }
    }
  }

  template <typename Function>
  void ForEach(Function function) const {
    for (const Due& due : batch_) {
      function(EntryOf(due));
    }
    for (const Entry& entry : near_) {
      function(entry);
    }
    for (const Level& level : levels_) {
      for (const Bucket& bucket : level.buckets) {
        ForEachIn(bucket.first, function);
      }
    }
  }

  std::size_t size_ = 0;
  std::uint32_t num_refills_ = 0;
  std::vector<Entry> near_;  // A heap of all times below near_end_.
  std::int64_t near_end_ = kNever;
  std::vector<Due> batch_;  // Beside the heap.
  std::int64_t batch_time_ = 0;
  // Far times by the highest digit that differs from base_ (the level).
  std::int64_t base_ = 0;
  std::size_t far_size_ = 0;
  std::vector<Level> levels_;
  std::vector<Chunk> chunks_;
  std::uint32_t free_chunk_ = kNone;
  std::vector<Entry> spread_;  // That change their buckets.
};

}  // namespace orrery
