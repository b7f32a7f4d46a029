#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "orrery/base/system/executor.h"
#include "orrery/base/system/wall_clock.h"
#include "orrery/experiment/runs/run_series.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

/// How far a series has come.
struct SeriesProgress {
  std::int64_t asked = 0;  ///< Of those that were to be carried out now.
  std::int64_t ended = 0;  ///< Completed or failed.
  std::int64_t failed = 0;
};

/// What is to be told to who carries out a series. Each may be empty.
struct SeriesWatch {
  /// Takes what has been carried out, in any order, by one thread at a time.
  std::function<void(const RunBatch&)> take;
  /// Told now and then, by one thread at a time.
  std::function<void(const SeriesProgress&)> progress;
  /// When it says no, runs at work are given up.
  GoesOn goes_on;
};

/// Carries out runs of a series in `executor`, a lane each, in batches.
///
/// @param todo ranges that do not overlap.
/// @param clock delivers what a lane has after a tenth of a second at the
///     latest, or when the run ends that takes longer; may be null: every run
///     is a batch.
/// @returns how far it came.
/// @throws Error as `take` and Subject::MakeRunner do; all lanes end then.
SeriesProgress CarryOut(const RunSeries& series,
                        std::span<const RunRange> todo,
                        Executor& executor,
                        const WallClock* clock,
                        const SeriesWatch& watch);

}  // namespace orrery
