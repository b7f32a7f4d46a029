#pragma once

#include <cstdint>
#include <memory>

#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"
#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/series.h"
#include "orrery/store/internal/store_file.h"

namespace orrery::store::internal {

// The trajectories and events of single runs: see ExperimentStore.

/// A stored trajectory, whose rows are not read yet. For use within one
/// transaction.
struct StoredTrajectory {
  SeriesStore store;
  Series series;
  std::shared_ptr<const SignalTable> table;  ///< Never null.
};

/// @throws Error kInvalidArgument if there is no experiment `id`, or if `run`
///     has no trajectory; kIo if it is damaged.
[[nodiscard]] StoredTrajectory FindTrajectory(StoreFile& file,
                                              ExperimentId id,
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

[[nodiscard]] std::int64_t CountRows(StoreFile& file,
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
