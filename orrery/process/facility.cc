#include "orrery/process/facility.h"

#include <optional>
#include <utility>

#include "orrery/process/internal/run.h"

namespace orrery::process {

void Facility::Bind(internal::Run& run) {
  run_ = &run;
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

void Facility::NeedsSettling() {
  run_->MarkForSettling(*this);
}

void Facility::Wake(std::uint32_t task) {
  run_->WakeNow(task);
}

void Facility::Throw(std::uint32_t task, std::exception_ptr exception) {
  run_->DeliverTo(task, std::move(exception));
}

void Facility::Observe() const {
  if (run_ != nullptr && run_->dependent() != nullptr) {
    run_->dependent()->DependOn(dependents_, std::nullopt);
  }
}

Duration Facility::now() const noexcept {
  return run_ == nullptr ? Duration(0) : run_->now();
}

}  // namespace orrery::process
