#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "orrery/results/trajectory.h"
#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/store_file.h"

namespace orrery::store::internal {

// Parts of trajectories: see ExperimentStore.

[[nodiscard]] StoredSignals ReadSignals(StoreFile& file,
                                        ExperimentId id,
                                        std::int64_t run);

[[nodiscard]] Trajectory ReadTrajectory(StoreFile& file,
                                        ExperimentId id,
                                        std::int64_t run,
                                        std::span<const std::string> names);

}  // namespace orrery::store::internal
