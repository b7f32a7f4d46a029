#include "orrery/process/stepper.h"

#include <utility>

#include "orrery/process/run/run.h"

namespace orrery::process {

void Stepper::GoOnTo(Duration end) {
  run_.GoOnTo(end);
}

bool Stepper::has_work() const noexcept {
  return run_.has_work();
}

bool Stepper::Microstep(Duration time) {
  return run_.RunMicrostep(time, !std::exchange(has_begun_, true));
}

void Stepper::EndMicrostep() {
  if (has_begun_) {
    run_.EndMicrostep();
  }
}

void Stepper::EndInstant() {
  has_begun_ = false;
  run_.EndInstant();
}

void Stepper::ReachEnd() {
  run_.MarkOpen();
}

}  // namespace orrery::process
