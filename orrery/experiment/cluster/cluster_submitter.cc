#include "orrery/experiment/cluster/cluster_submitter.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "orrery/base/error.h"
#include "orrery/experiment/cluster/cluster.h"
#include "orrery/experiment/cluster/cluster_job.h"
#include "orrery/experiment/cluster/jet_stream.h"
#include "orrery/experiment/cluster/job_messages.h"
#include "orrery/experiment/cluster/published_job.h"
#include "orrery/experiment/runs/pending_ranges.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

using internal::PublishedJob;
using internal::RunTask;
using internal::WorkerReport;

// The duration of a task: much longer than a message, and short enough to be
// repeated.
constexpr Duration kTaskTime = std::chrono::milliseconds(100);
constexpr std::int64_t kMostRunsOfTask = 8192;

// The tasks that are published ahead of the results: for each known lane, and
// for lanes that join.
constexpr std::int64_t kTasksALane = 4;
constexpr std::int64_t kTasksForNew = 16;

std::size_t Unsigned(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

// The runs of a job, from publication to their results.
class Submission {
 public:
  Submission(const ClusterJob& job,
             std::span<const RunRange> todo,
             const ClusterOptions& options,
             const WallClock& clock,
             const SeriesWatch& watch)
      : num_columns_(job.columns.size()),
        todo_(todo),
        watch_(watch),
        is_under_way_(Unsigned(job.runs)),
        published_(job, options, clock) {
    progress_.asked = todo_.left();
    for (const RunRange& range : todo) {
      ORRERY_CHECK(range.first >= 0 && range.first + range.count <= job.runs);
    }
  }

  SeriesProgress CarryOut() {
    while (progress_.ended < progress_.asked &&
           (!watch_.goes_on || watch_.goes_on())) {
      PublishAhead();
      const PublishedJob::WorkerStatus news = published_.TakeStatus();
      for (const WorkerReport& report : news.reports) {
        Take(report);
      }
      if (news.has_lost_tasks) {
        PublishAgain();
      }
    }
    return progress_;
  }

 private:
  // Returns the number of runs of one task: as many as take kTaskTime, fewer
  // near the end, so that all lanes end at about the same time, but at least
  // the number that is carried out side by side.
  [[nodiscard]] std::int64_t TaskSize() const {
    if (num_measured_ == 0) {
      return 1;
    }
    const Duration a_run = std::max(busy_ / num_measured_, Duration(1));
    const auto lanes = static_cast<std::int64_t>(lanes_.size());
    const std::int64_t share = std::max<std::int64_t>(todo_.left() / lanes, 1);
    return std::clamp(std::min(kTaskTime / a_run, share / kTasksALane),
                      std::min(side_by_side_, share),
                      kMostRunsOfTask);
  }

  void PublishAhead() {
    const std::int64_t size = TaskSize();
    const std::int64_t most =
        size *
        (kTasksForNew + kTasksALane * static_cast<std::int64_t>(lanes_.size()));
    std::vector<RunTask> tasks;
    while (todo_.left() > 0 && num_under_way_ < most) {
      const RunRange runs = todo_.Draw(size);
      std::fill_n(is_under_way_.begin() + runs.first, runs.count, true);
      num_under_way_ += runs.count;
      tasks.push_back({.runs = runs});
    }
    if (!tasks.empty()) {
      published_.Publish(tasks);
    }
  }

  void Take(const WorkerReport& report) {
    if (report.batch.values.size() != num_columns_) {
      return;
    }
    lanes_.insert(report.worker);
    busy_ += report.busy;
    side_by_side_ =
        std::clamp(report.side_by_side, side_by_side_, kMostRunsOfTask);
    num_measured_ += static_cast<std::int64_t>(report.batch.status.size());
    RunBatch batch = report.batch;
    const std::int64_t count = TakeNew(batch);
    if (count == 0) {
      return;
    }
    if (watch_.take) {
      watch_.take(batch);
    }
    progress_.ended += count;
    progress_.failed += static_cast<std::int64_t>(batch.failures.size());
    if (watch_.progress) {
      watch_.progress(progress_);
    }
  }

  // Leaves those runs in `batch` that are still awaited, and takes note of
  // their end.
  // @returns their number.
  std::int64_t TakeNew(RunBatch& batch) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < batch.status.size(); ++i) {
      const std::size_t run = Unsigned(batch.first) + i;
      const bool is_new = batch.status[i] != RunStatus::kMissing &&
                          run < is_under_way_.size() && is_under_way_[run];
      if (is_new) {
        is_under_way_[run] = false;
        ++count;
      } else {
        batch.status[i] = RunStatus::kMissing;
      }
    }
    const auto is_missing = [&](const auto& of_run) {
      return batch.status[Unsigned(of_run.run - batch.first)] ==
             RunStatus::kMissing;
    };
    std::erase_if(batch.failures, is_missing);
    std::erase_if(batch.warnings, is_missing);
    num_under_way_ -= count;
    return count;
  }

  void PublishAgain() {
    std::vector<RunTask> tasks;
    for (auto begin = is_under_way_.begin();;) {
      begin = std::find(begin, is_under_way_.end(), true);
      if (begin == is_under_way_.end()) {
        break;
      }
      const auto end = std::find(begin, is_under_way_.end(), false);
      tasks.push_back({.runs = {.first = begin - is_under_way_.begin(),
                                .count = end - begin}});
      begin = end;
    }
    published_.Publish(tasks);
  }

  std::size_t num_columns_;
  internal::PendingRanges todo_;
  const SeriesWatch& watch_;
  SeriesProgress progress_;

  // By run: published, and not ended. A second result is ignored.
  std::vector<bool> is_under_way_;
  std::int64_t num_under_way_ = 0;

  std::set<std::string> lanes_;  // The lanes that have reported.
  Duration busy_{};              // The total time of `num_measured_` runs.
  std::int64_t num_measured_ = 0;
  std::int64_t side_by_side_ = 1;  // The most runs that a lane carries out side
                                   // by side.

  PublishedJob published_;
};

}  // namespace

void CheckCluster(const std::string& url) {
  static_cast<void>(internal::JetStream(url, "orrery"));
}

SeriesProgress CarryOutOnCluster(const ClusterJob& job,
                                 std::span<const RunRange> todo,
                                 const ClusterOptions& options,
                                 const WallClock& clock,
                                 const SeriesWatch& watch) {
  return Submission(job, todo, options, clock, watch).CarryOut();
}

}  // namespace orrery
