#include "orrery/process/internal/condition_wait.h"

#include <exception>
#include <optional>

#include "orrery/base/time.h"
#include "orrery/process/condition.h"
#include "orrery/process/internal/run.h"

namespace orrery::process::internal {

std::string_view TextOf(Relation relation) noexcept {
  switch (relation) {
    case Relation::kLess:
      return "<";
    case Relation::kLessEqual:
      return "<=";
    case Relation::kGreater:
      return ">";
    case Relation::kGreaterEqual:
      return ">=";
    case Relation::kEqual:
      return "==";
    case Relation::kNotEqual:
      return "!=";
  }
  return "";
}

ConditionWait::~ConditionWait() {
  if (is_open_) {
    run_->RemoveOpen(*this);
  }
}

void ConditionWait::OnWaiting(Run& run, Node& task) {
  task_ = task.index;
  run.MarkChanged(*this);
}

bool ConditionWait::OnDue(Run& run) {
  if (is_predicted_) {
    Forget();
    return true;
  }
  run.MarkChanged(*this);
  return false;
}

void ConditionWait::Evaluate(Run& run) {
  if (is_open_) {
    run.RemoveOpen(*this);
    is_open_ = false;
  }
  if (!run.IsWaiting(task_)) {
    Forget();
    return;
  }
  run.CountEvaluation();
  BeginReads();
  std::optional<Duration> at;
  try {
    at = run.Evaluating(*this, [&] { return Next(run.horizon() - run.now()); });
  } catch (...) {
    Forget();
    run.DeliverTo(task_, std::current_exception());
    return;
  }
  EndReads();
  is_predicted_ = at && (!expiry() || *at < *expiry());
  if (!is_predicted_) {
    at = expiry();
  }
  if (!at) {
    is_open_ = true;
    run.AddOpen(*this);
  } else if (is_predicted_ && *at == Duration(0)) {
    Forget();
    run.WakeNow(task_);
  } else {
    run.WakeLater(task_, *at);
  }
}

}  // namespace orrery::process::internal
