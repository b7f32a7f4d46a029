#pragma once

#include "orrery/base/time.h"

namespace orrery::process::internal {

class Run;

/// Runs all microsteps at a time:
///
///     start the run if this is its first instant
///     take what is due: tasks are ready or their conditions have changed,
///       resources have changed
///     repeat
///       evaluate the conditions that have changed: tasks are ready
///       stop unless RunMicrostep finds a task that is ready
///     sample the resources that have changed
void RunInstant(Run& run, Duration time);

/// Runs the batch of the tasks that are ready, if there are any:
///
///     tell tasks that wait for the first of several things of all that came
///     stop if no task is ready; fail if this is one microstep too many
///     batch <- one step of each task that is ready
///     run the steps, and those of the tasks they spawn; each sees the cells as
///       the batch before left them, with its own effects
///     begin spans; log events
///     commit the effects on cells: what depends on these cells has changed
///     register the waits in which steps have ended
///     cancel and interrupt tasks as steps have asked for
///     end tasks that are over, and tell those that wait for their end
///     let facilities decide on the requests of the batch
///     begin the plan after the first batch
///
/// @returns true if there was a batch.
/// @throws Error kInvalidModel if a task fails and nobody waits for it, or the
///     instant does not end.
bool RunMicrostep(Run& run);

/// Begins an instant and takes what is due.
void BeginInstant(Run& run, Duration time);

/// Moves the tasks that are due at `time` into the next batch, and marks the
/// resources that are.
void TakeDue(Run& run, Duration time);

}  // namespace orrery::process::internal
