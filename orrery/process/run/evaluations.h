#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/process/run/dependent.h"
#include "orrery/process/run/while_true.h"

namespace orrery::process::internal {

class ConditionWait;

/// The conditions and resources that are to be evaluated since cells have
/// changed, and the evaluation at work, which only reads.
class Evaluations {
 public:
  // --- The evaluation at work.

  [[nodiscard]] bool is_evaluating() const noexcept { return is_evaluating_; }

  /// Calls `evaluate` and collects its reads in `reads`.
  template <typename F>
  auto Evaluating(F evaluate) {
    reads_.Clear();
    const WhileTrue evaluating(is_evaluating_);
    return evaluate();
  }

  /// The reads of the evaluation at work, or of the last one.
  [[nodiscard]] Reads& reads() noexcept { return reads_; }

  // --- Evaluations to come.

  /// Schedules an evaluation of `dependent`: before the next batch or, if it
  /// takes samples, at the end of the instant.
  void MarkChanged(Dependent& dependent) {
    if (!dependent.is_changed) {
      dependent.is_changed = true;
      (dependent.takes_samples ? changed_resources_ : changed_)
          .push_back(&dependent);
    }
  }

  /// Calls MarkChanged for all dependents of a list.
  void MarkDependents(Link* first) {
    for (Link* link = first; link != nullptr; link = link->next) {
      MarkChanged(*link->owner);
    }
  }

  [[nodiscard]] bool has_conditions() const noexcept {
    return !changed_.empty();
  }

  [[nodiscard]] bool has_samples() const noexcept {
    return !changed_resources_.empty();
  }

  /// Evaluates the conditions that have changed. Those of tasks that have
  /// waited longest come first.
  void EvaluateConditions(Run& run) {
    if (!changed_.empty()) {
      EvaluateChanged(run);
    }
  }

  /// Samples the resources that have changed.
  void SampleResources(Run& run);

  // --- Open conditions: as far as known, they do not come to hold up to the
  // horizon.

  void AddOpen(ConditionWait& condition);
  void RemoveOpen(ConditionWait& condition) noexcept;

  /// Schedules an evaluation of all open conditions.
  void MarkOpen();

  [[nodiscard]] std::span<ConditionWait* const> open() const noexcept {
    return open_;
  }

  /// Drops all that is to be evaluated.
  void Clear() noexcept;

 private:
  void EvaluateChanged(Run& run);

  bool is_evaluating_ = false;
  Reads reads_;
  std::vector<Dependent*> changed_;
  std::vector<Dependent*> changed_resources_;
  std::vector<ConditionWait*> open_;  // In any order.
};

}  // namespace orrery::process::internal
