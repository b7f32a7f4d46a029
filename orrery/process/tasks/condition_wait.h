#pragma once

#include <coroutine>
#include <cstdint>
#include <optional>

#include "orrery/base/time.h"
#include "orrery/process/run/dependent.h"
#include "orrery/process/run/thresholds.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

/// A task's wait for a condition. The condition is evaluated when the batch is
/// committed in which the task begins to wait, then whenever a cell it read has
/// changed or expired, and at the end of a run. If the value that a cell must
/// have first is known, it is evaluated when the cell has that value.
class ConditionWait : public Awaitable, public Wait, public Dependent {
 public:
  ConditionWait() = default;
  ~ConditionWait() override;
  ConditionWait(const ConditionWait&) = delete;
  ConditionWait& operator=(const ConditionWait&) = delete;

  void await_suspend(std::coroutine_handle<> /*frame*/) {
    run_->step.Wait(*this);
  }

  void await_resume() const { run_->step.ThrowDelivered(); }

  void OnWaiting(Run& run, Node& task) final;
  bool OnDue(Run& run) final;
  [[nodiscard]] SavedWait Save() const final;
  void Restore(Run& run, Node& task, const SavedWait& saved) final;

  [[nodiscard]] const Node& task() const noexcept { return *task_; }

  void Evaluate(Run& run) final;

  [[nodiscard]] bool depends_on_cells() const noexcept {
    return threshold_ || Dependent::depends_on_cells();
  }

  /// Its index in the run's list of open conditions (see Evaluations::AddOpen),
  /// or kNoIndex.
  std::uint32_t open_index = kNoIndex;

 private:
  /// The first time from now on, up to `until`, at which it holds; or
  /// Duration::max().
  [[nodiscard]] virtual Duration Next(Duration until) const = 0;

  /// The value of a cell without which the condition, which does not hold now,
  /// cannot hold; if it is known.
  [[nodiscard]] virtual std::optional<Threshold> Needs() const = 0;

  struct Outlook {
    Duration at{};  // As Next.
    std::optional<Threshold> threshold;
  };

  [[nodiscard]] Outlook Compute(Run& run) const;
  void DependOnWhatWasRead(Run& run, const Outlook& outlook);
  void WaitFor(std::optional<Threshold> threshold);
  void ForgetAll() noexcept;

  // It holds when it is due.
  bool is_predicted_ = false;
  bool is_new_ = false;  // It has not been evaluated yet.
  Node* task_ = nullptr;
  std::optional<Threshold> threshold_;  // Replaces the cells it read.
  Thresholds::Place place_;             // Its entry there.
};

}  // namespace orrery::process::internal
