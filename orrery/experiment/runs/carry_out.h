#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "orrery/base/system/executor.h"
#include "orrery/base/system/wall_clock.h"
#include "orrery/experiment/runs/run_series.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

/// The progress of a series.
struct SeriesProgress {
  std::int64_t asked = 0;  ///< Number of runs requested.
  std::int64_t ended = 0;  ///< Number of runs that completed or failed.
  std::int64_t failed = 0;
};

/// Callbacks of the caller of a series. Each may be empty.
struct SeriesWatch {
  /// Receives the runs that have been carried out, in any order, by one thread
  /// at a time.
  std::function<void(const RunBatch&)> take;
  /// Called now and then, by one thread at a time.
  std::function<void(const SeriesProgress&)> progress;
  /// Runs in progress are stopped when it returns false.
  GoesOn goes_on;
};

/// Carries out runs of a series in `executor`, a lane each, in batches.
///
/// @param todo ranges that do not overlap.
/// @param clock limits the time for which a lane collects runs to a tenth of a
///     second, or to the end of a longer run. May be null: each run is a batch.
/// @returns how far it came.
/// @throws Error as `take` and Subject::MakeRunner do; all lanes end then.
SeriesProgress CarryOut(const RunSeries& series,
                        std::span<const RunRange> todo,
                        Executor& executor,
                        const WallClock* clock,
                        const SeriesWatch& watch);

}  // namespace orrery
