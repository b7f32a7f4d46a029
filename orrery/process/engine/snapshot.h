#pragma once

#include <memory>

namespace orrery::process::internal {

class Run;
struct ResolvedPlan;
struct SavedRun;

/// A snapshot of the run, between two instants.
/// @throws Error as Simulator::Save.
[[nodiscard]] std::shared_ptr<const SavedRun> Save(const Run& run);

/// Goes back, or on, to a snapshot of the run.
/// @throws Error as Simulator::Restore.
void Restore(Run& run, const SavedRun& saved);

/// The same, to go on by another plan.
void Restore(Run& run,
             const SavedRun& saved,
             std::shared_ptr<const ResolvedPlan> plan);

}  // namespace orrery::process::internal
