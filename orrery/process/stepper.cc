#include "orrery/process/stepper.h"

#include "orrery/process/internal/run.h"

namespace orrery::process {

void Stepper::GoOnTo(Duration end) {
  run_.GoOnTo(end);
}

bool Stepper::has_work() const noexcept {
  return run_.has_work();
}

bool Stepper::Microstep(Duration time) {
  return run_.RunMicrostep(time);
}

void Stepper::EndInstant() {
  run_.EndInstant();
}

void Stepper::ReachEnd() {
  run_.MarkOpen();
}

}  // namespace orrery::process
