#include "orrery/process/facility.h"

#include <utility>

#include "orrery/process/internal/run.h"

namespace orrery::process {

void Facility::Bind(internal::Run& run) {
  run_ = &run;
  run.AddFacility(*this);
  Reset();
}

void Facility::Unbind() noexcept {
  run_ = nullptr;
  needs_settling_ = false;
}

void Facility::Post(std::uint64_t argument) {
  if (run_ == nullptr) {
    RefuseOutside("use");
  }
  run_->Post(*this, argument);
}

void Facility::Throw(const Handle<>& task, std::exception_ptr exception) {
  internal::Node* node = task.reference().node();
  if (node != nullptr && node->frame && !node->frame.done()) {
    run_->Deliver(*node, std::move(exception));
  }
}

Handle<> Facility::task_at_work() const {
  return run_ == nullptr || run_->current() == nullptr
             ? Handle<>()
             : Handle<>(
                   internal::TaskReference(run_->nodes(), *run_->current()));
}

void Facility::Observe() const {
  if (run_ != nullptr && run_->is_evaluating()) {
    run_->reads().Add(dependents_);
  }
}

Duration Facility::now() const noexcept {
  return run_ == nullptr ? Duration(0) : run_->now();
}

void Request::OnWaiting(internal::Run& run, internal::Node& task) {
  task_ = &task;
  run.MarkForSettling(*facility_);
  facility_->OnRequested(*this);
}

}  // namespace orrery::process
