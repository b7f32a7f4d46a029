#include "orrery/process/run/transactions.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orrery/process/model/cell_core.h"
#include "orrery/process/run/evaluations.h"
#include "orrery/process/run/thresholds.h"

namespace orrery::process::internal {

namespace {

// Marks all that wait for a threshold of the cell that is met. If the cell's
// type cannot tell its number, marks all, as by a read.
void MarkMet(CellCore& cell, Evaluations& evaluations) {
  const auto mark = [&evaluations](Dependent& who) {
    evaluations.MarkChanged(who);
  };
  double level = 0;
  try {
    level = cell.Level();
  } catch (...) {
    cell.thresholds->ForEach(mark);
    return;
  }
  if (std::isfinite(level)) {
    cell.thresholds->ForEachMet(level, mark);
  }
}

}  // namespace

void Transactions::Commit(Evaluations& evaluations) {
  for (CellCore* cell : touched_) {
    cell->Commit();
    cell->acting_segment = kNoIndex;
    evaluations.MarkDependents(cell->dependents);
    if (cell->thresholds != nullptr && !cell->thresholds->empty()) {
      MarkMet(*cell, evaluations);
    }
  }
  touched_.clear();
  segments_.Clear();
}

std::uint32_t Transactions::UndoStep() {
  std::uint32_t first = segments_.size();
  while (first > 0 && segments_.step(first - 1) == step_) {
    --first;
  }
  for (CellCore* cell : touched_of_step_) {
    cell->Undo(first);
  }
  for (std::size_t i = num_touched_before_; i < touched_.size(); ++i) {
    touched_[i]->acting_segment = kNoIndex;
  }
  touched_.resize(num_touched_before_);
  return first;
}

std::span<const std::uint32_t> Transactions::Renumber(
    std::span<const std::uint32_t> ranks) {
  const auto numbers = segments_.Renumber(ranks);
  for (CellCore* cell : touched_) {
    cell->Renumber(numbers);
  }
  return numbers;
}

}  // namespace orrery::process::internal
