#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "orrery/process/run/node.h"
#include "orrery/process/run/segments.h"

namespace orrery::process::internal {

class CellCore;
class Evaluations;

/// The effects of the batch at work on cells. Each step is a transaction: it
/// sees the cells as the batch before left them, with its own effects and those
/// of the steps that spawned it up to then. All are committed together.
class Transactions {
 public:
  /// @param base the last segment of others that the step sees; or kNoIndex.
  void BeginStep(std::uint32_t step, std::uint32_t base) noexcept {
    step_ = step;
    base_ = base;
    segment_ = kNoIndex;
    touched_of_step_.clear();
    num_touched_before_ = touched_.size();
  }

  /// The last segment whose effects the step at work sees, or kNoIndex.
  [[nodiscard]] std::uint32_t tip() const noexcept {
    return segment_ != kNoIndex ? segment_ : base_;
  }

  /// Ends the segment at work, as the step spawns a task. Its later effects are
  /// concurrent with that task.
  /// @returns the last segment that the task sees.
  std::uint32_t Branch() noexcept {
    if (segment_ != kNoIndex) {
      base_ = std::exchange(segment_, kNoIndex);
    }
    return base_;
  }

  /// The segment to which effects of the step now belong.
  std::uint32_t OpenSegment() {
    if (segment_ == kNoIndex) {
      segment_ = segments_.Add(base_, step_);
    }
    return segment_;
  }

  /// The same for an effect on `cell`.
  /// @param cell a CellCore.
  template <typename Cell>
  std::uint32_t Touch(Cell& cell) {
    const std::uint32_t segment = OpenSegment();
    if (cell.acting_segment != segment) {
      if (cell.acting_segment == kNoIndex) {
        touched_.push_back(&cell);
      }
      cell.acting_segment = segment;
      touched_of_step_.push_back(&cell);
    }
    return segment;
  }

  [[nodiscard]] Segments& segments() noexcept { return segments_; }

  [[nodiscard]] bool empty() const noexcept { return segments_.size() == 0; }

  /// Commits all effects, and marks what depends on these cells.
  void Commit(Evaluations& evaluations);

  /// Undoes the effects of the step at work.
  /// @returns the first of its segments, which stay, without effects.
  std::uint32_t UndoStep();

  /// Drops all effects of the batch, before the cells are restored.
  void Drop() noexcept {
    touched_.clear();
    segments_.Clear();
  }

  /// Renumbers the segments in the order of the ranks of their steps.
  /// @param ranks by step.
  /// @returns the new number of each segment.
  std::span<const std::uint32_t> Renumber(std::span<const std::uint32_t> ranks);

 private:
  Segments segments_;
  std::uint32_t step_ = kNoIndex;
  std::uint32_t base_ = kNoIndex;
  std::uint32_t segment_ = kNoIndex;
  std::vector<CellCore*> touched_;
  // Cells of the step at work; may have duplicates.
  std::vector<CellCore*> touched_of_step_;
  // The number of cells in touched_ before the step at work.
  std::size_t num_touched_before_ = 0;
};

}  // namespace orrery::process::internal
