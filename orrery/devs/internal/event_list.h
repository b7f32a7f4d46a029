#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace orrery::devs::internal {

/// The times at which models are due, in two parts: a small heap of the nearest
/// and a radix heap of all others, whose buckets move into the heap as time
/// comes near (Ahuja, Mehlhorn, Orlin & Tarjan, "Faster algorithms for the
/// shortest path problem", J. ACM 37 (1990), 213; with digits of 8 bits). Times
/// never lie before one that was popped. A bucket of one time is handed out
/// whole. Adding and popping cost O(1) up to the number of digits that differ,
/// and at worst what a binary heap costs.
///
/// An entry cannot be removed: who pops it knows whether it still holds.
class EventList {
 public:
  struct Entry {
    std::int64_t time;
    std::uint32_t model;
  };

  static constexpr std::int64_t kNever =
      std::numeric_limits<std::int64_t>::max();

  EventList();

  /// @param time not negative, below kNever.
  void Add(std::int64_t time, std::uint32_t model) {
    ++size_;
    if (time < near_end_) {
      AddNear({.time = time, .model = model});
    } else {
      AddFar({.time = time, .model = model});
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

  /// Moves all models of the least time, `time`, to the end of `models`.
  void Pop(std::int64_t time, std::vector<std::uint32_t>& models);

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
      Add(entry.time, entry.model);
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
  void PopAllNear(std::int64_t time, std::vector<std::uint32_t>& models);
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
    for (const std::uint32_t model : batch_) {
      function(Entry{.time = batch_time_, .model = model});
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
  std::vector<std::uint32_t> batch_;  // Of batch_time_, beside the heap.
  std::int64_t batch_time_ = 0;
  // Far times by the highest digit that differs from base_ (the level).
  std::int64_t base_ = 0;
  std::size_t far_size_ = 0;
  std::vector<Level> levels_;
  std::vector<Chunk> chunks_;
  std::uint32_t free_chunk_ = kNone;
  std::vector<Entry> spread_;  // That change their buckets.
};

}  // namespace orrery::devs::internal
