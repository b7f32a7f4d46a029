#include "orrery/process/tasks/condition_wait.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/process/model/cell_core.h"
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

Relation Mirrored(Relation relation) noexcept {
  switch (relation) {
    case Relation::kLess:
      return Relation::kGreater;
    case Relation::kLessEqual:
      return Relation::kGreaterEqual;
    case Relation::kGreater:
      return Relation::kLess;
    case Relation::kGreaterEqual:
      return Relation::kLessEqual;
    case Relation::kEqual:
    case Relation::kNotEqual:
      break;
  }
  return relation;
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
    run_->evaluations.RemoveOpen(*this);
  }
  WaitFor(std::nullopt);
}

void ConditionWait::OnWaiting(Run& run, Node& task) {
  task_ = &task;
  order = run.NextOrder();
  is_new_ = true;
  run.evaluations.MarkChanged(*this);
}

SavedWait ConditionWait::Save() const {
  return {.order = order, .progress = is_predicted_ ? 1U : 0U};
}

void ConditionWait::Restore(Run& run, Node& task, const SavedWait& saved) {
  task_ = &task;
  order = saved.order;
  is_predicted_ = saved.progress != 0;
  DependOnWhatWasRead(run, Compute(run));
}

ConditionWait::Outlook ConditionWait::Compute(Run& run) const {
  return run.evaluations.Evaluating([&] {
    Outlook outlook{.at = Next(run.calendar.time_left()),
                    .threshold = std::nullopt};
    if (outlook.at == Duration::max()) {
      outlook.threshold = Needs();
    }
    return outlook;
  });
}

void ConditionWait::DependOnWhatWasRead(Run& run, const Outlook& outlook) {
  WaitFor(outlook.threshold);
  if (threshold_) {
    Forget();
  } else {
    DependOn(run.evaluations.reads());
  }
}

void ConditionWait::WaitFor(std::optional<Threshold> threshold) {
  if (threshold == threshold_) {
    return;
  }
  if (threshold_) {
    Thresholds::Remove(place_);
  }
  threshold_ = threshold;
  if (threshold_) {
    auto& thresholds = threshold_->cell->thresholds;
    if (thresholds == nullptr) {
      thresholds = std::make_unique<Thresholds>();
    }
    place_ = thresholds->Add(*this, threshold_->relation, threshold_->bound);
  }
}

void ConditionWait::ForgetAll() noexcept {
  Forget();
  WaitFor(std::nullopt);
}

bool ConditionWait::OnDue(Run& run) {
  if (is_predicted_) {
    ForgetAll();
    return true;
  }
  run.evaluations.MarkChanged(*this);
  return false;
}

void ConditionWait::Evaluate(Run& run) {
  if (task_->state != TaskState::kWaiting) {
    run.evaluations.RemoveOpen(*this);
    ForgetAll();
    return;
  }
  ++run.statistics.evaluations;
  Outlook outlook;
  try {
    outlook = Compute(run);
  } catch (...) {
    run.evaluations.RemoveOpen(*this);
    ForgetAll();
    run.exceptions.Deliver(*task_, std::current_exception());
    return;
  }
  if (std::exchange(is_new_, false) && run.evaluations.reads().is_early()) {
    run.evaluations.MarkChanged(*this);
    return;
  }
  const Duration at = outlook.at;
  const Duration expiry =
      outlook.threshold ? Duration::max() : run.evaluations.reads().expiry();
  is_predicted_ = at < expiry;
  if (is_predicted_ && at == Duration(0)) {
    run.evaluations.RemoveOpen(*this);
    ForgetAll();
    run.tasks.WakeNow(*task_);
    return;
  }
  DependOnWhatWasRead(run, outlook);
  if (at == Duration::max() && !threshold_) {
    run.evaluations.AddOpen(
        *this);  // Beyond the horizon it may hold before the expiry.
  } else {
    run.evaluations.RemoveOpen(*this);
  }
  run.tasks.WakeLater(*task_, std::min(at, expiry));
}

}  // namespace orrery::process::internal
