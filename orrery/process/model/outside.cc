#include "orrery/process/model/outside.h"

namespace orrery::process {

void Outside::Observe(Signal& signal) const {
  if (is_evaluated()) {
    run_->evaluations.reads().Add(signal.dependents_);
  }
}

void Outside::ObserveEarly() const {
  if (is_evaluated()) {
    run_->evaluations.reads().MarkEarly();
  }
}

void Outside::Change(const Signal& signal) {
  if (run_ != nullptr) {
    run_->evaluations.MarkDependents(signal.dependents_);
  }
}

}  // namespace orrery::process
