#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/run/node.h"

namespace orrery::process {

class Facility;

namespace internal {

class CellCore;

/// Sets a flag as long as this object lives.
class WhileTrue {
 public:
  explicit WhileTrue(bool& flag) noexcept : flag_(flag) { flag_ = true; }

  ~WhileTrue() { flag_ = false; }

  WhileTrue(const WhileTrue&) = delete;
  WhileTrue& operator=(const WhileTrue&) = delete;

 private:
  bool& flag_;
};

/// The ways in which a step of a task ends.
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
  Node* task = nullptr;
  /// The step of this batch that spawned the task.
  std::uint32_t parent = kNoIndex;
  std::uint32_t base = kNoIndex;  ///< The last segment of others that it sees.
  StepEnd end = StepEnd::kNone;
  std::uint32_t joined = kNoIndex;  ///< If kJoining: the task it waits for.
  Duration delay{};                 ///< If kDelayed.
};

/// A request of a step to cancel or interrupt another task.
struct Operation {
  std::uint32_t step;
  std::uint32_t target;
  std::exception_ptr reason;  ///< To be thrown; null: cancel.
  bool is_of_call = false;    ///< Made by a caller that no longer waits.
};

/// The kinds of messages to a facility, which differ if the step throws.
enum class PostKind : std::uint8_t {
  kReturn,  ///< Holds even then: something goes back.
  kEffect,  ///< Is undone.
};

/// A message of a step to a facility.
struct Posted {
  std::uint32_t step;
  PostKind kind;
  Facility* facility;
  std::uint64_t argument;
};

/// The cells that the steps of a batch act on.
struct TouchedCells {
  std::vector<CellCore*> all;
  /// Cells of the step at work; may have duplicates.
  std::vector<CellCore*> of_step;
  /// The number of cells in `all` before the step at work.
  std::size_t num_before = 0;
};

/// An attribute that a step adds to the span of its task.
struct Annotation {
  std::uint32_t step = kNoIndex;
  Record::Field field;
};

/// An exception that the coroutine of a task did not catch.
struct Thrown {
  std::exception_ptr exception;
  bool is_left = false;  ///< The caller stopped waiting in the same batch.
};

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

}  // namespace internal
}  // namespace orrery::process
