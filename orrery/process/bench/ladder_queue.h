#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace orrery::process {

/// The event list of a simulation written by hand: Tang, Goh & Thng, "Ladder
/// queue: an O(1) priority queue structure for large-scale discrete event
/// simulation", ACM Trans. Model. Comput. Simul. 15 (2005) 175.
class LadderQueue {
 public:
  struct Entry {
    std::int64_t time;
    std::uint32_t id;
  };

  /// @param time not before one that was popped.
  void Push(Entry entry) {
    if (entry.time >= top_start_) {
      least_ = std::min(least_, entry.time);
      most_ = std::max(most_, entry.time);
      top_.push_back(entry);
      return;
    }
    for (std::size_t i = 0; i < depth_; ++i) {
      if (entry.time >= rungs_[i].current_start()) {
        rungs_[i].Add(entry);
        return;
      }
    }
    const auto place = std::upper_bound(
        bottom_.begin(),
        bottom_.end(),
        entry,
        [](const Entry& a, const Entry& b) { return a.time > b.time; });
    bottom_.insert(place, entry);
  }

  /// The least time; the maximal integer if the queue is empty.
  std::int64_t NextTime() {
    if (bottom_.empty() && !FillBottom()) {
      return std::numeric_limits<std::int64_t>::max();
    }
    return bottom_.back().time;
  }

  /// To be called after NextTime().
  Entry Pop() {
    const Entry entry = bottom_.back();
    bottom_.pop_back();
    return entry;
  }

 private:
  static constexpr std::size_t kMaxDepth = 8;
  static constexpr std::size_t kMaxSorted = 50;

  struct Rung {
    std::int64_t start = 0;
    std::int64_t width = 1;
    std::size_t current = 0;
    std::size_t size = 0;
    std::vector<std::vector<Entry>> buckets;

    [[nodiscard]] std::int64_t current_start() const {
      return start + width * static_cast<std::int64_t>(current);
    }

    void Begin(std::int64_t least, std::int64_t most, std::size_t number) {
      start = least;
      width = (most - least) / static_cast<std::int64_t>(number) + 1;
      current = 0;
      size = 0;
      buckets.resize(std::max(buckets.size(), number + 1));
    }

    void Add(Entry entry) {
      buckets[static_cast<std::size_t>((entry.time - start) / width)].push_back(
          entry);
      ++size;
    }
  };

  bool FillBottom() {
    for (;;) {
      while (depth_ > 0 && rungs_[depth_ - 1].size == 0) {
        --depth_;
      }
      if (depth_ == 0) {
        if (top_.empty()) {
          return false;
        }
        Rung& rung = rungs_[depth_++];
        rung.Begin(least_, most_, top_.size());
        for (const Entry& entry : top_) {
          rung.Add(entry);
        }
        top_.clear();
        top_start_ = most_ + 1;
        least_ = std::numeric_limits<std::int64_t>::max();
        most_ = 0;
      }
      Rung& rung = rungs_[depth_ - 1];
      while (rung.buckets[rung.current].empty()) {
        ++rung.current;
      }
      std::vector<Entry>& bucket = rung.buckets[rung.current];
      const std::int64_t bucket_start = rung.current_start();
      ++rung.current;
      rung.size -= bucket.size();
      if (bucket.size() <= kMaxSorted || depth_ == kMaxDepth ||
          rung.width == 1) {
        bottom_.swap(bucket);
        std::sort(
            bottom_.begin(), bottom_.end(), [](const Entry& a, const Entry& b) {
              return a.time > b.time;
            });
        return true;
      }
      Rung& below = rungs_[depth_++];
      below.Begin(bucket_start, bucket_start + rung.width - 1, bucket.size());
      for (const Entry& entry : bucket) {
        below.Add(entry);
      }
      bucket.clear();
    }
  }

  std::vector<Entry> top_;
  std::int64_t top_start_ = 0;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t most_ = 0;
  std::array<Rung, kMaxDepth> rungs_;
  std::size_t depth_ = 0;
  std::vector<Entry> bottom_;  // The least comes last.
};

}  // namespace orrery::process
