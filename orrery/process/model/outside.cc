#include "orrery/process/model/outside.h"

namespace orrery::process {

void Outside::Observe(Signal& signal) const {
  if (is_evaluated()) {
    run_->reads().Add(signal.dependents_);
  }
}

void Outside::ObserveEarly() const {
  if (is_evaluated()) {
    run_->reads().MarkEarly();
  }
}

void Outside::Change(const Signal& signal) {
  if (run_ != nullptr) {
    run_->MarkDependents(signal.dependents_);
  }
}

}  // namespace orrery::process
