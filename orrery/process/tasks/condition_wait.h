#pragma once

#include <coroutine>
#include <cstdint>

#include "orrery/base/time.h"
#include "orrery/process/run/dependent.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

/// A task's wait for a condition. It is evaluated when the batch is committed
/// in which the task begins to wait, then whenever a cell it read has changed
/// or expired, and at the end of a run.
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

  /// Its place in the run's list of those that do not come to hold up to the
  /// horizon, or kNoIndex.
  std::uint32_t open_index = kNoIndex;

 private:
  /// The first time from now on, up to `until`, at which it holds; or
  /// Duration::max().
  [[nodiscard]] virtual Duration Next(Duration until) const = 0;

  [[nodiscard]] Duration Compute(Run& run) const;

  // When it is due, it holds.
  bool is_predicted_ = false;
  bool is_new_ = false;  // Has not been evaluated.
  Node* task_ = nullptr;
};

}  // namespace orrery::process::internal
