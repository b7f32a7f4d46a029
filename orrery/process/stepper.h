#pragma once

#include "orrery/base/time.h"
#include "orrery/process/simulator.h"

namespace orrery::process {

/// Takes a run on by single microsteps, to combine it with other engines on one
/// timeline. Their input arrives between microsteps.
class Stepper {
 public:
  explicit Stepper(Simulator& simulator) : run_(*simulator.run_) {}

  /// Sets the horizon of the run, up to which conditions are predicted.
  void GoOnTo(Duration end);

  /// True if something is left to do at the time of the last microstep.
  [[nodiscard]] bool has_work() const noexcept;

  /// Runs the batch that is due at `time`, if any. The first microstep of an
  /// instant evaluates the changed conditions before.
  /// @param time from now() to next_time().
  /// @returns true if there was a batch.
  /// @throws Error as Simulator::RunUntil.
  bool Microstep(Duration time);

  /// Evaluates the changed conditions. To be called when the other engines have
  /// done this microstep, too.
  void EndMicrostep();

  /// Samples resources. To be called when no microstep follows at this time.
  void EndInstant();

  /// Lets the next microstep evaluate once more all conditions without a time.
  /// To be called at the horizon.
  void ReachEnd();

 private:
  internal::Run& run_;
  bool has_begun_ = false;  // The instant has begun.
};

}  // namespace orrery::process
