#pragma once

#include "orrery/base/time.h"

namespace orrery::process::internal {

class Run;

/// Runs all instants up to `end`, that one included. Conditions that do not
/// hold before are evaluated once more at `end`.
void RunUntil(Run& run, Duration end);

/// Runs the next instant.
/// @returns true if there was one.
bool RunNextInstant(Run& run);

/// Sets the horizon, up to which conditions are predicted.
void GoOnTo(Run& run, Duration horizon);

/// Runs the next microstep at `time`, beside other engines. The first one of an
/// instant evaluates the conditions that have changed before.
/// @returns true if there was a batch.
bool RunMicrostepAt(Run& run, Duration time, bool is_first);

/// Evaluates the conditions that have changed: the other engines have done this
/// microstep, too.
void EndMicrostep(Run& run);

/// Samples resources.
void EndInstant(Run& run);

}  // namespace orrery::process::internal
