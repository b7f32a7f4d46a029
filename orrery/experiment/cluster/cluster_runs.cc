#include "orrery/experiment/cluster/cluster_runs.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/experiment/cluster/job_messages.h"
#include "orrery/experiment/cluster/published_job.h"
#include "orrery/experiment/cluster/run_bytes.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

using internal::PublishedJob;
using internal::RunPart;
using internal::RunRequest;
using internal::RunTask;
using internal::WorkerReport;

// Time between two checks of a waiting thread whether it is to go on.
constexpr Duration kBetweenLooks = std::chrono::milliseconds(100);

// A run that a thread waits for.
class AwaitedRun {
 public:
  explicit AwaitedRun(RunTask task) : task_(std::move(task)) {}

  [[nodiscard]] const RunTask& task() const { return task_; }

  // Has a value once all parts have arrived. Parts of one run are the same,
  // whichever worker carried it out.
  [[nodiscard]] std::optional<SubjectRun>& result() { return result_; }

  void Take(const RunPart& part) {
    parts_.resize(part.count);
    if (std::exchange(parts_[part.index], part.bytes).empty()) {
      ++num_taken_;
    }
    if (num_taken_ == parts_.size()) {
      std::string bytes;
      for (const std::string& its : parts_) {
        bytes += its;
      }
      result_ = internal::SubjectRunFrom(bytes);
    }
  }

 private:
  RunTask task_;
  std::vector<std::string> parts_;
  std::size_t num_taken_ = 0;
  std::optional<SubjectRun> result_;
};

}  // namespace

// One of the waiting threads at a time takes reports for all.
class ClusterRuns::Published {
 public:
  Published(const ClusterJob& job,
            const ClusterOptions& options,
            WallClock& clock)
      : clock_(clock), job_(job, options, clock) {}

  SubjectRun Run(RunRequest request, const GoesOn& goes_on) {
    std::unique_lock lock(mutex_);
    const std::int64_t id = next_id_++;
    AwaitedRun& run = awaited_
                          .emplace(id,
                                   RunTask{.runs = {.first = id, .count = 1},
                                           .request = std::move(request)})
                          .first->second;
    lock.unlock();
    job_.Publish({&run.task(), 1});
    lock.lock();
    bool is_wanted = true;
    while (!run.result() && failure_ == nullptr && is_wanted) {
      if (is_taking_) {
        clock_.WaitUntil(clock_.now() + kBetweenLooks, lock, arrived_);
      } else {
        TakeStatus(lock);
      }
      lock.unlock();  // It may look at our health.
      is_wanted = !goes_on || goes_on();
      lock.lock();
    }
    std::optional<SubjectRun> result = std::move(run.result());
    awaited_.erase(id);
    return result ? *std::move(result) : SubjectRun{.was_interrupted = true};
  }

  [[nodiscard]] std::exception_ptr failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

 private:
  void TakeStatus(std::unique_lock<std::mutex>& lock) {
    is_taking_ = true;
    lock.unlock();
    PublishedJob::WorkerStatus news;
    std::exception_ptr failure;
    try {
      news = job_.TakeStatus();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    is_taking_ = false;
    failure_ = failure;
    for (const WorkerReport& report : news.reports) {
      const auto found =
          report.part ? awaited_.find(report.part->run) : awaited_.end();
      if (found != awaited_.end()) {
        found->second.Take(*report.part);
      }
    }
    if (news.has_lost_tasks) {
      PublishAgain();
    }
    arrived_.notify_all();
  }

  void PublishAgain() {
    std::vector<RunTask> tasks;
    for (auto& [id, run] : awaited_) {
      if (!run.result()) {
        tasks.push_back(run.task());
      }
    }
    job_.Publish(tasks);
  }

  WallClock& clock_;
  PublishedJob job_;
  mutable std::mutex mutex_;  // Guards all below.
  std::condition_variable arrived_;
  std::map<std::int64_t, AwaitedRun> awaited_;
  std::int64_t next_id_ = 0;
  bool is_taking_ = false;
  std::exception_ptr failure_;
};

class ClusterRuns::RemoteRunner final : public Runner {
 public:
  RemoteRunner(Published& published, RunRequest request)
      : published_(published), request_(std::move(request)) {}

  [[nodiscard]] SubjectRun Run(std::span<const double> values,
                               std::uint64_t seed,
                               const GoesOn& goes_on) override {
    RunRequest request = request_;
    request.values.assign(values.begin(), values.end());
    request.seed = seed;
    return published_.Run(std::move(request), goes_on);
  }

 private:
  Published& published_;
  RunRequest request_;  // Without values and seed.
};

class ClusterRuns::ElsewhereSubject final : public Subject {
 public:
  ElsewhereSubject(Published& published,
                   std::size_t number,
                   std::shared_ptr<const Subject> here)
      : published_(published), number_(number), here_(std::move(here)) {}

  [[nodiscard]] const std::string& name() const noexcept override {
    return here_->name();
  }

  [[nodiscard]] const SignalTable& signals() const noexcept override {
    return here_->signals();
  }

  [[nodiscard]] VariedKind KindOfVaried(
      const std::string& name) const override {
    return here_->KindOfVaried(name);
  }

  [[nodiscard]] bool IsDifferentiable(
      std::span<const std::string> names) const override {
    return here_->IsDifferentiable(names);
  }

  [[nodiscard]] std::unique_ptr<Runner> MakeRunner(
      std::vector<std::string> names,
      const WantedResults& wanted) const override {
    for (const std::string& name : names) {
      static_cast<void>(here_->KindOfVaried(name));
    }
    return std::make_unique<RemoteRunner>(published_,
                                          RunRequest{.subject = number_,
                                                     .names = std::move(names),
                                                     .wanted = wanted,
                                                     .values = {}});
  }

 private:
  Published& published_;
  std::size_t number_;
  std::shared_ptr<const Subject> here_;
};

ClusterRuns::ClusterRuns(const ClusterJob& job,
                         const ClusterOptions& options,
                         WallClock& clock)
    : published_(std::make_unique<Published>(job, options, clock)) {}

ClusterRuns::~ClusterRuns() = default;

std::shared_ptr<const Subject> ClusterRuns::Elsewhere(
    std::size_t i, std::shared_ptr<const Subject> here) {
  return std::make_shared<ElsewhereSubject>(*published_, i, std::move(here));
}

bool ClusterRuns::is_healthy() const {
  return published_->failure() == nullptr;
}

void ClusterRuns::CheckHealth() const {
  if (const std::exception_ptr failure = published_->failure()) {
    std::rethrow_exception(failure);
  }
}

}  // namespace orrery
