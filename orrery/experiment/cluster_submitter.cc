#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/random.h"
#include "orrery/experiment/cluster.h"
#include "orrery/experiment/internal/jet_stream.h"
#include "orrery/experiment/internal/job_messages.h"
#include "orrery/experiment/internal/todo_list.h"

namespace orrery {
namespace {

using internal::FileDigest;
using internal::JetStream;
using internal::JobDefinition;
using internal::JobNames;
using internal::Listener;
using internal::QueuedMessage;
using internal::QueueReader;
using internal::QueueState;
using internal::RunTask;
using internal::WorkerReport;

// A task takes a worker about so long: much longer than a message, and short
// enough to be done again.
constexpr Duration kTaskTime = std::chrono::milliseconds(100);
constexpr std::int64_t kMostRunsOfTask = 8192;  // Of a task.

// Tasks that are published ahead of the results: for each lane that is known,
// and for those that come.
constexpr std::int64_t kTasksALane = 4;
constexpr std::int64_t kTasksForNew = 16;

constexpr int kReportsAtOnce = 64;
constexpr Duration kWait = std::chrono::milliseconds(100);

// So long may nothing be heard before the queues are looked at.
constexpr Duration kSilence = std::chrono::seconds(2);

std::size_t Unsigned(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

// A job on the server: there as long as this object.
class PublishedJob {
 public:
  PublishedJob(const ClusterJob& job, const ClusterOptions& options)
      : server_(options.url, "orrery submitter"),
        names_(JetStream::UniqueName()) {
    server_.CreateStream(JobNames::kTextStream,
                         {JobNames::kTexts},
                         JetStream::Retention::kUntilDeleted);
    server_.CreateStream(names_.Stream(),
                         {names_.Task(), names_.Report()},
                         JetStream::Retention::kUntilDone);
    try {
      server_.CreateQueue(names_.Stream(),
                          JobNames::kTaskQueue,
                          names_.Task(),
                          options.patience);
      server_.CreateQueue(names_.Stream(),
                          JobNames::kReportQueue,
                          names_.Report(),
                          options.patience);
      presence_ = server_.Answer(names_.Submitter());
      reports_ = server_.ReadQueue(
          names_.Stream(), JobNames::kReportQueue, names_.Report());
      PublishDefinition(job, options.patience);
    } catch (...) {
      Delete();
      throw;
    }
  }

  PublishedJob(const PublishedJob&) = delete;
  PublishedJob& operator=(const PublishedJob&) = delete;

  ~PublishedJob() {
    server_.Tell(names_.End());
    Delete();
  }

  // @throws Error once the server is lost.
  [[nodiscard]] std::vector<QueuedMessage> TakeReports() {
    if (server_.is_lost()) {
      throw Error(ErrorCode::kIo,
                  "cannot go on: the connection to " + server_.url() +
                      " has been lost for a minute; what came in is kept, and "
                      "the rest can be carried out by orrery resume");
    }
    return reports_->Take(kReportsAtOnce, kWait);
  }

  // Some may get lost: what is missing is published again later.
  void Publish(std::span<const RunTask> tasks) {
    std::vector<std::string> messages;
    messages.reserve(tasks.size());
    for (const RunTask& task : tasks) {
      messages.push_back(ToMessage(task));
    }
    static_cast<void>(server_.Store(names_.Task(), messages));
  }

  [[nodiscard]] std::optional<QueueState> StateOf(const char* queue) {
    return server_.StateOf(names_.Stream(), queue);
  }

 private:
  void Delete() noexcept {
    server_.DeleteStream(names_.Stream());
    server_.DeleteMessages(JobNames::kTextStream, names_.AnyText());
  }

  void Store(const std::string& subject,
             std::span<const std::string> messages) {
    if (!server_.Store(subject, messages)) {
      throw Error(ErrorCode::kIo,
                  "cannot submit a job to " + server_.url() +
                      ": it does not store all of it; is its disk full, or the "
                      "store that it may use?");
    }
  }

  // The definition comes last: who finds it finds all.
  void PublishDefinition(const ClusterJob& job, Duration patience) {
    JobDefinition definition{.job = job, .files = {}, .patience = patience};
    definition.job.files.clear();
    const std::size_t part_size = server_.max_message() / 2;
    for (std::size_t file = 0; file < job.files.size(); ++file) {
      const std::string& bytes = job.files[file].bytes;
      FileDigest& digest = definition.files.emplace_back(
          FileDigest{.name = job.files[file].name, .hash = StableHash(bytes)});
      for (std::size_t at = 0; at < bytes.size(); at += part_size) {
        const std::string part = bytes.substr(at, part_size);
        Store(names_.Part(file, digest.parts++), {&part, 1});
      }
    }
    const std::string message = ToMessage(definition);
    Store(names_.Definition(), {&message, 1});
  }

  JetStream server_;
  JobNames names_;
  std::unique_ptr<Listener> presence_;
  std::unique_ptr<QueueReader> reports_;
};

// The runs of a job on their way to the workers and back.
class Submission {
 public:
  Submission(const ClusterJob& job,
             std::span<const RunRange> todo,
             const ClusterOptions& options,
             const WallClock& clock,
             const SeriesWatch& watch)
      : num_columns_(job.columns.size()),
        todo_(todo),
        options_(options),
        clock_(clock),
        watch_(watch),
        is_under_way_(Unsigned(job.runs)),
        published_(job, options),
        heard_(clock.now()) {
    progress_.asked = todo_.left();
    for (const RunRange& range : todo) {
      ORRERY_CHECK(range.first >= 0 && range.first + range.count <= job.runs);
    }
  }

  SeriesProgress CarryOut() {
    while (progress_.ended < progress_.asked &&
           (!watch_.goes_on || watch_.goes_on())) {
      PublishAhead();
      std::vector<QueuedMessage> messages = published_.TakeReports();
      for (QueuedMessage& message : messages) {
        if (const auto report = internal::ReportFrom(message.bytes())) {
          Take(*report);
        }
        message.Acknowledge();
      }
      if (!messages.empty()) {
        heard_ = clock_.now();
        has_told_silence_ = false;
      } else if (clock_.now() - heard_ >= kSilence) {
        FindOutWhy();
        heard_ = clock_.now();
      }
    }
    return progress_;
  }

 private:
  void Tell(const std::string& line) const {
    if (options_.tell) {
      options_.tell(line);
    }
  }

  // Runs of one task: as many as take kTaskTime, but few where few are left,
  // so that all lanes end at about the same time.
  [[nodiscard]] std::int64_t TaskSize() const {
    if (num_measured_ == 0) {
      return 1;
    }
    const Duration a_run = std::max(busy_ / num_measured_, Duration(1));
    const auto lanes = static_cast<std::int64_t>(lanes_.size());
    return std::clamp<std::int64_t>(
        std::min(kTaskTime / a_run, todo_.left() / (kTasksALane * lanes)),
        1,
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
    if (!report.error.empty()) {
      throw Error(ErrorCode::kInvalidModel, report.error);
    }
    if (!report.refusal.empty()) {
      Tell("worker " + report.worker + " takes no part: " + report.refusal);
      return;
    }
    if (report.batch.values.size() != num_columns_) {
      return;
    }
    lanes_.insert(report.worker);
    busy_ += report.busy;
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

  // Leaves in `batch` those runs that are waited for, which no longer are.
  // @returns how many these are.
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
    std::erase_if(batch.failures, [&](const RunFailure& failure) {
      return batch.status[Unsigned(failure.run - batch.first)] ==
             RunStatus::kMissing;
    });
    num_under_way_ -= count;
    return count;
  }

  // Nothing has been heard for a while.
  void FindOutWhy() {
    const auto tasks = published_.StateOf(JobNames::kTaskQueue);
    const auto reports = published_.StateOf(JobNames::kReportQueue);
    if (!tasks || !reports || !reports->is_empty()) {
      return;
    }
    if (tasks->is_empty()) {
      // A task is acknowledged after its report is stored: what is under way
      // now is so nowhere. The server has lost something.
      PublishAgain();
    } else if (tasks->at_work == 0 && !has_told_silence_) {
      Tell(
          "no worker is at work on this; one is started by orrery worker "
          "--queue");
      has_told_silence_ = true;
    }
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
  internal::TodoList todo_;
  const ClusterOptions& options_;
  const WallClock& clock_;
  const SeriesWatch& watch_;
  SeriesProgress progress_;

  // By run: published, and not ended. What comes twice counts once.
  std::vector<bool> is_under_way_;
  std::int64_t num_under_way_ = 0;

  std::set<std::string> lanes_;  // That have reported.
  Duration busy_{};              // With so many runs:
  std::int64_t num_measured_ = 0;

  PublishedJob published_;
  Duration heard_;  // When something was.
  bool has_told_silence_ = false;
};

}  // namespace

void CheckCluster(const std::string& url) {
  static_cast<void>(JetStream(url, "orrery"));
}

SeriesProgress CarryOutOnCluster(const ClusterJob& job,
                                 std::span<const RunRange> todo,
                                 const ClusterOptions& options,
                                 const WallClock& clock,
                                 const SeriesWatch& watch) {
  return Submission(job, todo, options, clock, watch).CarryOut();
}

}  // namespace orrery
