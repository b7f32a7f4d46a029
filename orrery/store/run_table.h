#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/store_file.h"

namespace orrery::store::internal {

// The table of the runs of an experiment: see ExperimentStore.

/// Tables of more runs would not fit in memory.
constexpr std::int64_t kMaxRuns = 1'000'000'000;

/// @throws Error kInvalidArgument unless 0 <= `runs` <= kMaxRuns.
void CheckRunCount(std::int64_t runs);

/// @throws Error kInvalidArgument unless 0 <= `run` < kMaxRuns.
void CheckRunIndex(std::int64_t run);

/// The columns of the table.
[[nodiscard]] std::vector<RunColumn> RunColumnsOf(const StoreFile& file,
                                                  ExperimentId id);

void AppendRuns(StoreFile& file, ExperimentId id, const RunBatch& batch);

[[nodiscard]] RunTable ReadRuns(StoreFile& file, ExperimentId id);

[[nodiscard]] RunTable ReadRunsIn(StoreFile& file,
                                  ExperimentId id,
                                  const RunRange& runs);

/// The runs asked for that are missing or failed, in their order.
[[nodiscard]] std::vector<RunRange> FindUnfinishedRuns(StoreFile& file,
                                                       ExperimentId id);

[[nodiscard]] std::vector<RunFailure> ReadFailures(StoreFile& file,
                                                   ExperimentId id,
                                                   std::size_t limit);

}  // namespace orrery::store::internal
