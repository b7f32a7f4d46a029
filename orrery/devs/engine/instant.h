#pragma once

#include <cstdint>

namespace orrery::devs::internal {

class Run;

/// Runs all instants up to `end`, that one included.
void RunUntil(Run& run, std::int64_t end);

/// Runs all microsteps at a time at which something is due:
///
///     take the models that are due
///     repeat
///       run a microstep of parallel or classic DEVS
///       if nothing more is due: change the structure as models have asked for
///     until nothing more is due
void RunInstant(Run& run, std::int64_t time);

/// Runs the next microstep at such a time.
void RunMicrostep(Run& run, std::int64_t time);

}  // namespace orrery::devs::internal
