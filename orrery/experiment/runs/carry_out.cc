#include "orrery/experiment/runs/carry_out.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>

#include "orrery/experiment/runs/pending_ranges.h"
#include "orrery/experiment/runs/runs_at_once.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

constexpr Duration kLongestDelay = std::chrono::milliseconds(100);

// Limits of the runs that a thread draws at once, so that all lanes end at
// about the same time.
constexpr std::int64_t kMostRunsAtOnce = 1024;
constexpr std::int64_t kDrawsALane = 4;

// The runs to be carried out, drawn in ranges, and their results.
class Pool {
 public:
  Pool(std::span<const RunRange> todo,
       std::size_t lanes,
       const SeriesWatch& watch)
      : todo_(todo), lanes_(static_cast<std::int64_t>(lanes)), watch_(watch) {
    progress_.asked = todo_.left();
  }

  // Returns an empty range when there are no more.
  // @param side_by_side number of runs that the thread carries out side by
  //     side.
  RunRange Draw(std::int64_t side_by_side) {
    const std::lock_guard lock(mutex_);
    const std::int64_t share = todo_.left() / lanes_;
    return todo_.Draw(std::clamp(
        share / kDrawsALane, std::min(side_by_side, share), kMostRunsAtOnce));
  }

  void Deliver(RunBatch& batch) {
    if (batch.status.empty()) {
      return;
    }
    const std::lock_guard lock(mutex_);
    if (watch_.take) {
      watch_.take(batch);
    }
    progress_.ended += static_cast<std::int64_t>(batch.status.size());
    progress_.failed += static_cast<std::int64_t>(batch.failures.size());
    if (watch_.progress) {
      watch_.progress(progress_);
    }
    batch = {};
  }

  [[nodiscard]] bool GoesOn() const {
    return !is_over_ && (!watch_.goes_on || watch_.goes_on());
  }

  void End() { is_over_ = true; }

  // Valid when all lanes have ended.
  [[nodiscard]] const SeriesProgress& progress() const { return progress_; }

 private:
  std::mutex mutex_;
  internal::PendingRanges todo_;
  std::int64_t lanes_;
  const SeriesWatch& watch_;
  SeriesProgress progress_;
  std::atomic<bool> is_over_ = false;
};

void RunLane(const RunSeries& series, const WallClock* clock, Pool& pool) {
  RunSeries::Worker worker(series);
  const GoesOn goes_on = [&] {
    return pool.GoesOn();
  };
  internal::RunsAtOnce at_once(clock != nullptr ? kLongestDelay : Duration{});
  const auto now = [clock] {
    return clock != nullptr ? clock->now() : Duration{};
  };
  const auto draw = [&] {
    return pool.Draw(worker.side_by_side());
  };
  for (RunRange range = draw(); range.count > 0; range = draw()) {
    RunBatch batch;
    Duration delivered = now();
    while (range.count > 0) {
      const Duration begin = now();
      const std::int64_t count =
          clock == nullptr ? 1 : std::min(range.count, at_once.count());
      if (!goes_on() ||
          worker.Run(range.first, count, batch, goes_on) < count) {
        pool.Deliver(batch);
        return;
      }
      range.first += count;
      range.count -= count;
      const Duration end = now();
      if (count == at_once.count()) {
        at_once.Took(end - begin, worker.side_by_side());
      }
      if (clock == nullptr || end - delivered >= kLongestDelay) {
        pool.Deliver(batch);
        delivered = end;
      }
    }
    pool.Deliver(batch);
  }
}

}  // namespace

SeriesProgress CarryOut(const RunSeries& series,
                        std::span<const RunRange> todo,
                        Executor& executor,
                        const WallClock* clock,
                        const SeriesWatch& watch) {
  Pool pool(todo, executor.concurrency(), watch);
  executor.ForEachThatMayThrow(executor.concurrency(), [&](std::size_t) {
    try {
      RunLane(series, clock, pool);
    } catch (...) {
      pool.End();
      throw;
    }
  });
  return pool.progress();
}

}  // namespace orrery
