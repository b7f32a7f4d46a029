#pragma once

namespace orrery {

/// The state of steps in a lane, as a number among others.
struct LaneOutcome {
  static constexpr double kIdle = 0;  ///< There is nothing to do.
  static constexpr double kGoing = 1;
  static constexpr double kArrived = 2;
  /// The next step needs the careful code; nothing of it has been done.
  static constexpr double kStuck = 3;
};

}  // namespace orrery
