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

/// Makes a flag true as long as it is there.
class WhileTrue {
 public:
  explicit WhileTrue(bool& flag) noexcept : flag_(flag) { flag_ = true; }

  ~WhileTrue() { flag_ = false; }

  WhileTrue(const WhileTrue&) = delete;
  WhileTrue& operator=(const WhileTrue&) = delete;

 private:
  bool& flag_;
};

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
  Node* task = nullptr;
  std::uint32_t parent = kNoIndex;  ///< The step that spawned the task in it.
  std::uint32_t base = kNoIndex;    ///< The last segment that it sees.
  StepEnd end = StepEnd::kNone;
  std::uint32_t joined = kNoIndex;  ///< The task it waits for, if kJoining.
  Duration delay{};                 ///< If kDelayed.
};

/// What a step asks of another task: to be cancelled, or interrupted.
struct Operation {
  std::uint32_t step;
  std::uint32_t target;
  std::exception_ptr reason;  ///< Null: to be cancelled.
  bool is_of_call = false;    ///< By who called it, and has gone on.
};

/// Whether what a step tells a facility holds if the step throws.
enum class PostKind : std::uint8_t {
  kReturn,  ///< It does: something goes back.
  kEffect,  ///< It does not.
};

/// What a step tells a facility.
struct Posted {
  std::uint32_t step;
  PostKind kind;
  Facility* facility;
  std::uint64_t argument;
};

/// The cells that steps of a batch act on.
struct TouchedCells {
  std::vector<CellCore*> all;
  std::vector<CellCore*> of_step;  ///< The one at work; some several times.
  std::size_t num_before = 0;      ///< Of all: those of the steps before it.
};

/// An attribute that a step adds to the span of its task.
struct Annotation {
  std::uint32_t step = kNoIndex;
  Record::Field field;
};

/// What the coroutine of a task did not catch.
struct Thrown {
  std::exception_ptr exception;
  bool is_left = false;  ///< By who called it, in the same batch.
};

/// The effects of a batch form a forest: a segment holds what a step does
/// between two points at which it spawns, and its parent is the segment before
/// it, of the same step or of the one that spawned it. What lies on one path to
/// a root happened in that order; all else happened concurrently. A segment's
/// number is greater than its parent's.
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

  /// Whose it is.
  [[nodiscard]] std::uint32_t step(std::uint32_t segment) const {
    return segments_[segment].step;
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
  struct Segment {
    std::uint32_t parent;
    std::uint32_t step;
  };

  std::vector<Segment> segments_;
  std::vector<std::uint32_t> marks_;  // 0 where there is none.
  std::vector<std::uint32_t> path_;   // Marked.
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> nearest_;
};

}  // namespace internal
}  // namespace orrery::process
