#include "orrery/process/facility.h"

#include <utility>

#include "orrery/process/internal/run.h"

namespace orrery::process {

void Facility::Post(std::uint64_t argument) {
  if (run_ == nullptr) {
    RefuseOutside("use");
  }
  run_->Post(*this, argument);
}

void Facility::Throw(const TaskId& task, std::exception_ptr exception) {
  if (!task) {
    return;
  }
  internal::Node& node = run_->nodes()[task.index];
  if (node.key == task.key && node.frame && !node.frame.done()) {
    run_->Throw(node, std::move(exception));
  }
}

TaskId Facility::task_at_work() const {
  const internal::Node* node = run_ == nullptr ? nullptr : run_->current();
  return node == nullptr ? TaskId()
                         : TaskId{.index = node->index, .key = node->key};
}

void Facility::NoteDependent() const {
  if (run_ != nullptr && run_->is_evaluating()) {
    run_->reads().Add(dependents_);
  }
}

void Request::OnWaiting(internal::Run& run, internal::Node& task) {
  task_ = &task;
  order_ = run.NextOrder();
  asked_ = run.now();
  run.MarkForSettling(*facility_);
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
