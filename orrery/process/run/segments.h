#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/process/run/node.h"

namespace orrery::process::internal {

/// The effects of a batch, as a forest of segments. A segment holds the effects
/// of a step between two points at which it spawns. Its parent is the segment
/// before it, of the same step or of the step that spawned it. Segments on one
/// path to a root happened in that order; all others are concurrent. The number
/// of a segment is greater than its parent's.
class Segments {
 public:
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(segments_.size());
  }

  std::uint32_t Add(std::uint32_t parent, std::uint32_t step) {
    segments_.push_back({.parent = parent, .step = step});
    return size() - 1;
  }

  void Clear() noexcept { segments_.clear(); }

  [[nodiscard]] std::uint32_t parent(std::uint32_t segment) const {
    return segments_[segment].parent;
  }

  /// The step of a segment.
  [[nodiscard]] std::uint32_t step(std::uint32_t segment) const {
    return segments_[segment].step;
  }

  /// Renumbers the segments in the order of the ranks of their steps.
  /// @param ranks by step.
  /// @returns the new number of each segment.
  std::span<const std::uint32_t> Renumber(std::span<const std::uint32_t> ranks);

  /// Marks `tip` and its ancestors, up to `stop` (included) or the root.
  /// @returns true if `stop` was met.
  bool MarkPath(std::uint32_t tip, std::uint32_t stop);
  void UnmarkPath();

  [[nodiscard]] bool is_marked(std::uint32_t segment) const {
    return segment < marks_.size() && marks_[segment] != 0;
  }

  /// The argument of FindNearest: segments in ascending order.
  std::vector<std::uint32_t> involved;

  /// For each segment of `involved`: the index in `involved` of its nearest
  /// ancestor there, or kNoIndex.
  std::span<const std::uint32_t> FindNearest();

 private:
  struct Segment {
    std::uint32_t parent;
    std::uint32_t step;
  };

  std::vector<Segment> segments_;
  std::vector<std::uint32_t> marks_;  // 0 where there is no mark.
  std::vector<std::uint32_t> path_;   // The marked segments.
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> nearest_;
};

}  // namespace orrery::process::internal
