#pragma once

#include <cstdint>

namespace orrery::process::internal {

class Run;

/// Runs one step of the batch: resumes the coroutine of its task until it waits
/// or ends, and notes how in the batch. A task that was cancelled ends. The
/// root, which has no coroutine, starts the models.
/// @throws Error kInvalidModel if too many tasks were spawned in the batch.
void RunStep(Run& run, std::uint32_t index);

/// Runs the steps of the batch in a random order, in which a spawning step
/// comes before the steps that it spawns. Then restores the usual order of all
/// that they have left.
void RunStepsShuffled(Run& run, std::uint64_t seed);

}  // namespace orrery::process::internal
