#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/experiment/cluster/jet_stream.h"
#include "orrery/experiment/cluster/job_messages.h"
#include "orrery/experiment/cluster/served_job.h"
#include "orrery/experiment/cluster/worker_state.h"
#include "orrery/experiment/runs/run_series.h"
#include "orrery/experiment/runs/runs_at_once.h"

namespace orrery::experiment::internal {

/// One of the threads of a worker that carry out runs: takes tasks of all jobs
/// by turns.
class WorkerLane {
 public:
  /// @param number of the lane, which the submitter is told.
  WorkerLane(WorkerState& state, std::size_t number);

  /// Goes on as long as the worker does.
  void Run();

 private:
  // Until the submitter hears of runs that have ended.
  static constexpr Duration kLongestDelay = std::chrono::seconds(1);

  // The objects of this lane for one job.
  struct Part {
    std::shared_ptr<ServedJob> job;
    const JobContent* content = nullptr;  // Owned by the job.
    std::unique_ptr<QueueReader> tasks;
    std::unique_ptr<RunSeries::Worker> worker;
    RunsAtOnce at_once{kLongestDelay};
    // By requests without their values and seed.
    std::vector<std::pair<RunRequest, std::unique_ptr<Runner>>> runners;

    // Null if runs are requested.
    [[nodiscard]] const RunSeries* series() const {
      return std::get_if<RunSeries>(content);
    }

    [[nodiscard]] bool Has(const RunTask& task) const;
    [[nodiscard]] Runner& RunnerFor(const RunRequest& request);

    [[nodiscard]] bool GoesOn(const WorkerState& state) const {
      return state.GoesOn() && !job->is_over();
    }
  };

  // Returns the jobs that exist and that this worker takes part in.
  std::vector<Part*> PartsInAll();

  [[nodiscard]] bool HasTasks(const Part& part) const;

  // Takes a task and does it. Returns whether there was one.
  bool WorkOn(Part& part);

  void Do(Part& part, QueuedMessage& message);

  // Returns true if the case applied and is settled.
  bool SplitIfTakerDied(const Part& part,
                        const RunTask& task,
                        const QueuedMessage& message);
  bool GiveUpIfDeadly(const Part& part, const RunTask& task);

  // Returns true if nothing is left to do for the task here.
  bool CarryOut(Part& part, const RunTask& task);
  bool CarryOutSeries(Part& part, const RunTask& task);
  bool CarryOutRequest(Part& part, const RunTask& task);

  // Puts a task back into the queue. Returns true if it is stored.
  bool PutBack(const Part& part, const RunTask& task);

  // Tries until the report is stored, as long as the submitter waits for it.
  // Returns true if it is stored.
  bool Send(const Part& part, const WorkerReport& report);

  // Sends the results of a requested run.
  bool Send(const Part& part, std::int64_t run, const SubjectRun& result);

  // Returns the approximate size of the message; shortens long texts in it.
  std::size_t SizeOf(RunBatch& batch) const;

  WorkerState& state_;
  KeptMessage& kept_;
  std::string name_;
  std::size_t most_bytes_;
  std::map<std::string, Part> parts_;  // By the job's id.
};

}  // namespace orrery::experiment::internal
