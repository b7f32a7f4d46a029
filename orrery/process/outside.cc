#include "orrery/process/outside.h"

#include <optional>

namespace orrery::process {

void Outside::Observe(Signal& signal) const {
  if (run_ != nullptr && run_->dependent() != nullptr) {
    run_->dependent()->DependOn(signal.dependents_, std::nullopt);
  }
}

void Outside::Change(const Signal& signal) {
  if (run_ != nullptr) {
    run_->MarkDependents(signal.dependents_);
  }
}

}  // namespace orrery::process
