#include "orrery/process/stepper.h"

#include <utility>

#include "orrery/process/engine/driver.h"
#include "orrery/process/run/run.h"

namespace orrery::process {

void Stepper::GoOnTo(Duration end) {
  internal::GoOnTo(run_, end);
}

bool Stepper::has_work() const noexcept {
  return run_.has_work();
}

bool Stepper::Microstep(Duration time) {
  return internal::RunMicrostepAt(run_, time, !std::exchange(has_begun_, true));
}

void Stepper::EndMicrostep() {
  if (has_begun_) {
    internal::EndMicrostep(run_);
  }
}

void Stepper::EndInstant() {
  has_begun_ = false;
  internal::EndInstant(run_);
}

void Stepper::ReachEnd() {
  run_.evaluations.MarkOpen();
}

}  // namespace orrery::process
