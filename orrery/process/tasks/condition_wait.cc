#include "orrery/process/tasks/condition_wait.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/condition.h"

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

void CheckIsNumber(double number) {
  if (std::isnan(number)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot compare with, or compute from, nan: it is not a "
                "number, and such a condition never holds; give a number");
  }
}

ConditionWait::~ConditionWait() {
  if (open_index != kNoIndex) {
    run_->RemoveOpen(*this);
  }
}

void ConditionWait::OnWaiting(Run& run, Node& task) {
  task_ = &task;
  order = run.NextOrder();
  is_new_ = true;
  run.MarkChanged(*this);
}

SavedWait ConditionWait::Save() const {
  return {.order = order, .progress = is_predicted_ ? 1U : 0U};
}

void ConditionWait::Restore(Run& run, Node& task, const SavedWait& saved) {
  task_ = &task;
  order = saved.order;
  is_predicted_ = saved.progress != 0;
  static_cast<void>(Compute(run));
  DependOn(run.reads());
}

Duration ConditionWait::Compute(Run& run) const {
  return run.Evaluating([&] { return Next(run.time_left()); });
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
  if (task_->state != TaskState::kWaiting) {
    run.RemoveOpen(*this);
    Forget();
    return;
  }
  run.CountEvaluation();
  Duration at{};
  try {
    at = Compute(run);
  } catch (...) {
    run.RemoveOpen(*this);
    Forget();
    run.Deliver(*task_, std::current_exception());
    return;
  }
  if (std::exchange(is_new_, false) && run.reads().is_early()) {
    run.MarkChanged(*this);
    return;
  }
  const Duration expiry = run.reads().expiry();
  is_predicted_ = at < expiry;
  if (is_predicted_ && at == Duration(0)) {
    run.RemoveOpen(*this);
    Forget();
    run.WakeNow(*task_);
    return;
  }
  DependOn(run.reads());
  if (at == Duration::max()) {
    run.AddOpen(*this);  // Beyond the horizon it may hold before the expiry.
  } else {
    run.RemoveOpen(*this);
  }
  run.WakeLater(*task_, std::min(at, expiry));
}

}  // namespace orrery::process::internal
