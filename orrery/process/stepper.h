#pragma once

#include "orrery/base/time.h"
#include "orrery/process/simulator.h"

namespace orrery::process {

/// Takes a run on by a microstep at a time, for who joins it with other engines
/// on one timeline: what comes from these acts between its microsteps.
class Stepper {
 public:
  explicit Stepper(Simulator& simulator) : run_(*simulator.run_) {}

  /// It will be taken on up to `end`, so conditions are foreseen up to there.
  void GoOnTo(Duration end);

  /// Something is left to do at the time of the last microstep.
  [[nodiscard]] bool has_work() const noexcept;

  /// Carries out the batch that is due at `time`, if there is one; in the first
  /// microstep of an instant evaluates the conditions that have changed before.
  /// @param time from now() to next_time().
  /// @returns whether there was a batch.
  /// @throws Error as Simulator::RunUntil.
  bool Microstep(Duration time);

  /// The others have carried out this microstep, too: evaluates the conditions
  /// that have changed.
  void EndMicrostep();

  /// No microstep follows at this time: samples resources.
  void EndInstant();

  /// `GoOnTo(end)` has been reached: evaluates what waits without a time once
  /// more in the next microstep.
  void ReachEnd();

 private:
  internal::Run& run_;
  bool has_begun_ = false;  // The instant.
};

}  // namespace orrery::process
