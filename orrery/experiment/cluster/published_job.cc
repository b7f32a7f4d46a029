#include "orrery/experiment/cluster/published_job.h"

#include <cstddef>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"

namespace orrery::experiment::internal {
namespace {

constexpr int kReportsAtOnce = 64;
constexpr Duration kLongestWait = std::chrono::milliseconds(100);

// Time without any report after which the queues are checked.
constexpr Duration kSilence = std::chrono::seconds(2);

}  // namespace

PublishedJob::PublishedJob(const ClusterJob& job,
                           const ClusterOptions& options,
                           const WallClock& clock)
    : options_(options),
      clock_(clock),
      server_(options.url, "orrery submitter"),
      names_(JetStream::UniqueName()),
      heard_(clock.now()) {
  server_.CreateStream(JobNames::kTextStream,
                       {JobNames::kTexts},
                       JetStream::Retention::kUntilDeleted);
  server_.CreateStream(names_.Stream(),
                       {names_.Task(), names_.Report()},
                       JetStream::Retention::kUntilDone);
  try {
    server_.CreateQueue(
        names_.Stream(), JobNames::kTaskQueue, names_.Task(), options.patience);
    server_.CreateQueue(names_.Stream(),
                        JobNames::kReportQueue,
                        names_.Report(),
                        options.patience);
    presence_ = server_.Answer(names_.Submitter());
    reports_ = server_.ReadQueue(
        names_.Stream(), JobNames::kReportQueue, names_.Report());
    PublishDefinition(job);
  } catch (...) {
    Delete();
    throw;
  }
}

PublishedJob::~PublishedJob() {
  server_.Tell(names_.End());
  Delete();
}

void PublishedJob::Publish(std::span<const RunTask> tasks) {
  std::vector<std::string> messages;
  messages.reserve(tasks.size());
  for (const RunTask& task : tasks) {
    messages.push_back(ToMessage(task));
  }
  static_cast<void>(server_.Store(names_.Task(), messages));
}

PublishedJob::WorkerStatus PublishedJob::TakeStatus() {
  if (server_.is_lost()) {
    throw Error(
        ErrorCode::kIo,
        "cannot go on: the connection to " + server_.url() +
            " has been lost for a minute; what came in is kept: go on when "
            "the server is there again");
  }
  WorkerStatus news;
  for (QueuedMessage& message : reports_->Take(kReportsAtOnce, kLongestWait)) {
    heard_ = clock_.now();
    has_told_silence_ = false;
    if (auto report = ReportFrom(message.bytes())) {
      Take(*std::move(report), news);
    }
    message.Acknowledge();
  }
  if (clock_.now() - heard_ >= kSilence) {
    news.has_lost_tasks = HasLostTasks();
    heard_ = clock_.now();
  }
  return news;
}

void PublishedJob::Take(WorkerReport report, WorkerStatus& news) {
  if (!report.error.empty()) {
    throw Error(ErrorCode::kInvalidModel, report.error);
  }
  if (!report.refusal.empty()) {
    Tell("worker " + report.worker + " takes no part: " + report.refusal);
    return;
  }
  news.reports.push_back(std::move(report));
}

bool PublishedJob::HasLostTasks() {
  const auto tasks = server_.StateOf(names_.Stream(), JobNames::kTaskQueue);
  const auto reports = server_.StateOf(names_.Stream(), JobNames::kReportQueue);
  if (!tasks || !reports || !reports->is_empty()) {
    return false;
  }
  // A task is acknowledged after its report is stored.
  if (tasks->is_empty()) {
    return true;
  }
  if (tasks->at_work == 0 && !has_told_silence_) {
    Tell(
        "no worker is at work on this; one is started by orrery worker "
        "--queue");
    has_told_silence_ = true;
  }
  return false;
}

void PublishedJob::Tell(const std::string& line) const {
  if (options_.tell) {
    options_.tell(line);
  }
}

void PublishedJob::Delete() noexcept {
  server_.DeleteStream(names_.Stream());
  server_.DeleteMessages(JobNames::kTextStream, names_.AnyText());
}

void PublishedJob::Store(const std::string& subject,
                         std::span<const std::string> messages) {
  if (!server_.Store(subject, messages)) {
    throw Error(ErrorCode::kIo,
                "cannot submit a job to " + server_.url() +
                    ": it does not store all of it; is its disk full, or the "
                    "store that it may use?");
  }
}

// The definition comes last: a worker that finds it finds all files.
void PublishedJob::PublishDefinition(const ClusterJob& job) {
  JobDefinition definition{
      .job = job, .files = {}, .patience = options_.patience};
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

}  // namespace orrery::experiment::internal
