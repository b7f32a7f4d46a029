#include "orrery/process/facility.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/process/model.h"

namespace orrery::process {

Facility::Facility(Model* owner, std::string_view name)
    : owner_(owner), name_(name) {
  owner->CheckName(name);
  owner->facilities_.push_back(this);
}

Facility::~Facility() {
  std::erase(owner_->facilities_, this);
}

std::string Facility::Path() const {
  return owner_->PathOf(name_);
}

void Facility::Post(std::uint64_t argument) {
  if (run_ == nullptr) {
    owner_->RefuseOutside("use", name_);
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
