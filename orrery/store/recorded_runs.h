#pragma once

#include <cstdint>

#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"
#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/store_file.h"

namespace orrery::store::internal {

// The trajectories and events of single runs: see ExperimentStore.

/// @param kind "trajectory" or "events".
/// @throws Error kInvalidArgument if `run` has none of this kind.
void RequireSeries(const StoreFile& file,
                   ExperimentId id,
                   const char* kind,
                   std::int64_t run);

void SaveTrajectory(StoreFile& file,
                    ExperimentId id,
                    std::int64_t run,
                    const Trajectory& trajectory);

void AppendTrajectory(StoreFile& file,
                      ExperimentId id,
                      std::int64_t run,
                      const Trajectory& part);

void DropTrajectory(StoreFile& file, ExperimentId id, std::int64_t run);

[[nodiscard]] Trajectory ReadTrajectory(StoreFile& file,
                                        ExperimentId id,
                                        std::int64_t run);

void SaveEvents(StoreFile& file,
                ExperimentId id,
                std::int64_t run,
                const EventLog& events);

void AppendEvents(StoreFile& file,
                  ExperimentId id,
                  std::int64_t run,
                  const EventLog& events);

[[nodiscard]] EventLog ReadEvents(StoreFile& file,
                                  ExperimentId id,
                                  std::int64_t run);

}  // namespace orrery::store::internal
