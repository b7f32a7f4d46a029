#include "orrery/process/model/facility.h"

#include <utility>

#include "orrery/process/run/run.h"
#include "orrery/process/tasks/task.h"

namespace orrery::process {

namespace {

bool IsAlive(const internal::Node& node) {
  return node.frame && !node.frame.done();
}

// The task that waits in a call for this very task; null if there is none. If
// its record has been reused since, that task awaits others.
internal::Node* CallerOf(const internal::Node& node,
                         internal::NodePool& nodes) {
  if (node.caller == internal::kNoIndex) {
    return nullptr;
  }
  internal::Node& caller = nodes[node.caller];
  return caller.calls == node.call && IsAlive(caller) &&
                 caller.wait != nullptr && caller.wait->IsFor(node)
             ? &caller
             : nullptr;
}

}  // namespace

void Facility::Post(std::uint64_t argument) {
  if (run_ == nullptr) {
    RefuseOutside("use");
  }
  run_->step.Post(*this, argument, internal::PostKind::kReturn);
}

void Facility::PostEffect(std::uint64_t argument) {
  if (run_ == nullptr) {
    RefuseOutside("use");
  }
  run_->step.Post(*this, argument, internal::PostKind::kEffect);
}

internal::Node* Facility::Heir(const TaskId& task) const {
  if (!task) {
    return nullptr;
  }
  internal::Node& node = run_->nodes()[task.index];
  if (node.key != task.key) {
    return nullptr;
  }
  return IsAlive(node) ? &node : CallerOf(node, run_->nodes());
}

bool Facility::Throw(const TaskId& task, std::exception_ptr exception) {
  internal::Node* const heir = Heir(task);
  if (heir != nullptr) {
    run_->exceptions.Throw(*heir, std::move(exception));
  }
  return heir != nullptr;
}

void Facility::Unthrow(const std::exception_ptr& exception) {
  if (run_ != nullptr) {
    run_->exceptions.Unthrow(exception);
  }
}

bool Facility::IsOf(const TaskId& task, const Request& request) const {
  const internal::Node* const heir = Heir(task);
  const internal::Node* at = heir == nullptr ? nullptr : request.task_;
  while (at != nullptr && at != heir) {
    at = CallerOf(*at, run_->nodes());
  }
  return at != nullptr;
}

TaskId Facility::IdOf(const internal::TaskReference& task) {
  const internal::Node* const node = task.node();
  return node == nullptr ? TaskId()
                         : TaskId{.index = node->index, .key = node->key};
}

std::uint64_t Facility::moment() const noexcept {
  return run_ == nullptr ? 0 : run_->step.Moment();
}

void Facility::Warn(std::string text) {
  run_->Warn(run_->now(), std::move(text));
}

TaskId Facility::task_at_work() const {
  const internal::Node* node = run_ == nullptr ? nullptr : run_->step.task();
  return node == nullptr ? TaskId()
                         : TaskId{.index = node->index, .key = node->key};
}

void Facility::NoteDependent() const {
  if (run_ != nullptr && run_->evaluations.is_evaluating()) {
    run_->evaluations.reads().Add(dependents_);
  }
}

void Request::OnWaiting(internal::Run& run, internal::Node& task) {
  task_ = &task;
  order_ = run.NextOrder();
  asked_ = run.now();
  run.facilities.Mark(*facility_);
  facility_->OnRequested(*this);
}

void Request::Restore(internal::Run& /*run*/,
                      internal::Node& task,
                      const internal::SavedWait& saved) {
  task_ = &task;
  order_ = saved.order;
  asked_ = saved.since;
  SetProgress(saved.progress);
  facility_->OnRequested(*this);
}

}  // namespace orrery::process
