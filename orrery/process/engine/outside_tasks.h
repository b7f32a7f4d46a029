#pragma once

#include <coroutine>

#include "orrery/base/time.h"
#include "orrery/process/run/node.h"

namespace orrery::process::internal {

/// To be called before a coroutine is handed over to SpawnAt.
/// @throws Error kInvalidArgument if the run is at work or has failed, or the
///     time has passed.
void CheckMaySpawnAt(const Run& run, const char* name, Duration at);

/// Spawns a task that begins at a time. Called between instants.
Node& SpawnAt(Run& run,
              std::coroutine_handle<> frame,
              const char* name,
              Duration at);

/// The same for a task that a snapshot can make again.
Node& SpawnAt(Run& run, const Recipe& recipe, const char* name, Duration at);

/// Adds a task that no task spawned. It waits for its time, which the caller
/// sets.
Node& AddOutsideTask(Run& run, const NewTask& task);

}  // namespace orrery::process::internal
