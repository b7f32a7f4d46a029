#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/internal/node.h"

namespace orrery::process::internal {

/// How a step of a task ended.
enum class StepEnd : std::uint8_t {
  kNone,
  kDelayed,
  kWaiting,
  kJoining,
  kCalling,
  kEnded
};

/// A step of a batch.
struct Step {
  std::uint32_t task = kNoIndex;
  std::uint32_t parent = kNoIndex;  ///< The step that spawned the task in it.
  std::uint32_t base = kNoIndex;    ///< The last segment that it sees.
  StepEnd end = StepEnd::kNone;
  std::uint32_t joined = kNoIndex;  ///< The task it waits for, if kJoining.
  Duration delay{};                 ///< If kDelayed.
};

/// The effects of a batch form a forest: a segment holds what a step does
/// between two points at which it spawns, and its parent is the segment before
/// it, of the same step or of the one that spawned it. What lies on one path to
/// a root happened in that order; all else happened concurrently. A segment's
/// number is greater than its parent's.
class Segments {
 public:
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(parents_.size());
  }

  std::uint32_t Add(std::uint32_t parent, std::uint32_t step) {
    parents_.push_back(parent);
    steps_.push_back(step);
    return size() - 1;
  }

  void Clear() noexcept {
    parents_.clear();
    steps_.clear();
  }

  [[nodiscard]] std::uint32_t parent(std::uint32_t segment) const {
    return parents_[segment];
  }

  /// Whose it is.
  [[nodiscard]] std::uint32_t step(std::uint32_t segment) const {
    return steps_[segment];
  }

  /// Numbers them by the rank of their steps.
  /// @param ranks by step.
  /// @returns the new number of each.
  std::span<const std::uint32_t> Renumber(std::span<const std::uint32_t> ranks);

  /// Marks `tip` and what comes before it, up to `stop` (included) or the root.
  /// @returns whether `stop` was met.
  bool MarkPath(std::uint32_t tip, std::uint32_t stop);
  void UnmarkPath();

  [[nodiscard]] bool is_marked(std::uint32_t segment) const {
    return segment < marks_.size() && marks_[segment] != 0;
  }

  /// Segments that somebody has to do with, ascending: for FindNearest.
  std::vector<std::uint32_t> involved;

  /// For each of `involved`: the index in it of the nearest segment before it,
  /// or kNoIndex.
  std::span<const std::uint32_t> FindNearest();

 private:
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> steps_;
  std::vector<std::uint32_t> marks_;  // 0 where there is none.
  std::vector<std::uint32_t> path_;   // Marked.
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> nearest_;
};

}  // namespace orrery::process::internal
