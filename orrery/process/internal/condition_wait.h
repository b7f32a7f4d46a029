#pragma once

#include <coroutine>
#include <cstdint>
#include <optional>

#include "orrery/base/time.h"
#include "orrery/process/internal/dependent.h"
#include "orrery/process/internal/thresholds.h"
#include "orrery/process/internal/wait.h"

namespace orrery::process::internal {

/// A task's wait for a condition. It is evaluated when the batch is committed
/// in which the task begins to wait, then whenever a cell it read has changed
/// or expired, and at the end of a run. Where it is known what a cell has to
/// become before it can hold, it is evaluated when the cell has.
class ConditionWait : public Awaitable, public Wait, public Dependent {
 public:
  ConditionWait() = default;
  ~ConditionWait() override;
  ConditionWait(const ConditionWait&) = delete;
  ConditionWait& operator=(const ConditionWait&) = delete;

  void await_suspend(std::coroutine_handle<> /*frame*/) { run_->Wait(*this); }

  void await_resume() const { run_->ThrowDelivered(); }

  void OnWaiting(Run& run, Node& task) final;
  bool OnDue(Run& run) final;
  [[nodiscard]] SavedWait Save() const final;
  void Restore(Run& run, Node& task, const SavedWait& saved) final;

  [[nodiscard]] const Node& task() const noexcept { return *task_; }

  void Evaluate(Run& run) final;

  [[nodiscard]] bool depends_on_cells() const noexcept {
    return threshold_ || Dependent::depends_on_cells();
  }

  /// Its place in the run's list of those that do not come to hold up to the
  /// horizon, or kNoIndex.
  std::uint32_t open_index = kNoIndex;

 private:
  /// The first time from now on, up to `until`, at which it holds; or
  /// Duration::max().
  [[nodiscard]] virtual Duration Next(Duration until) const = 0;

  /// What has to be so before it, which does not hold now, can; if that is
  /// known.
  [[nodiscard]] virtual std::optional<Threshold> Needs() const = 0;

  struct Outlook {
    Duration at{};  // As Next.
    std::optional<Threshold> threshold;
  };

  [[nodiscard]] Outlook Compute(Run& run) const;
  void DependOnWhatWasRead(Run& run, const Outlook& outlook);
  void WaitFor(std::optional<Threshold> threshold);
  void ForgetAll() noexcept;

  // When it is due, it holds.
  bool is_predicted_ = false;
  bool is_new_ = false;  // Has not been evaluated.
  Node* task_ = nullptr;
  std::optional<Threshold> threshold_;  // What it waits for, in place of cells.
  Thresholds::Place place_;             // There.
};

}  // namespace orrery::process::internal
