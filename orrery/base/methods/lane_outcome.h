#pragma once

namespace orrery {

/// How steps in a lane stand, as a number among others.
struct LaneOutcome {
  static constexpr double kIdle = 0;  ///< Nothing is to be done.
  static constexpr double kGoing = 1;
  static constexpr double kArrived = 2;
  /// The next step has to be looked at more closely; nothing of it has been
  /// done.
  static constexpr double kStuck = 3;
};

}  // namespace orrery
