#include "orrery/experiment/cluster/served_job.h"

#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"

namespace orrery::experiment::internal {
namespace {

[[noreturn]] void FailToTake(const std::string& why) {
  throw Error(ErrorCode::kUnsupported, "cannot take the job: " + why);
}

JobFile Fetch(JetStream& server,
              const JobNames& names,
              std::size_t number,
              const FileDigest& digest) {
  JobFile file{.name = digest.name, .bytes = {}};
  for (std::size_t part = 0; part < digest.parts; ++part) {
    const auto bytes =
        server.Last(JobNames::kTextStream, names.Part(number, part));
    if (!bytes) {
      FailToTake("a part of '" + file.name + "' is not on the server");
    }
    file.bytes += *bytes;
  }
  if (StableHash(file.bytes) != digest.hash) {
    FailToTake("'" + file.name + "' has come damaged");
  }
  return file;
}

}  // namespace

JobContent ServedJob::Load(JetStream& server,
                           const WorkerOptions& options) const {
  if (!definition_) {
    FailToTake("what defines it cannot be read");
  }
  ClusterJob job = definition_->job;
  if (job.version != options.version) {
    FailToTake("it is of Orrery " + job.version + ", and this worker is " +
               options.version +
               "; use the same on all machines, so that all runs are the same "
               "to the last bit");
  }
  for (std::size_t i = 0; i < definition_->files.size(); ++i) {
    job.files.push_back(Fetch(server, names_, i, definition_->files[i]));
  }
  JobContent content = options.load(job);
  const auto* series = std::get_if<RunSeries>(&content);
  if (series != nullptr && (series->columns() != job.columns ||
                            series->points().count != job.runs)) {
    FailToTake(
        "the model comes to other columns or runs here than where it was "
        "submitted");
  }
  return content;
}

const JobContent* ServedJob::Content(JetStream& server,
                                     const WorkerOptions& options,
                                     const std::string& worker) {
  const std::lock_guard lock(mutex_);
  if (!is_loaded_) {
    is_loaded_ = true;
    try {
      content_.emplace(Load(server, options));
    } catch (const Error& error) {
      if (options.tell) {
        options.tell(error.what());
      }
      Refuse(server, names_, worker, error.what());
    }
  }
  return content_ ? &*content_ : nullptr;
}

void Refuse(JetStream& server,
            const JobNames& names,
            const std::string& worker,
            const std::string& why) {
  static_cast<void>(server.Store(
      names.Report(),
      ToMessage(WorkerReport{.worker = worker, .batch = {}, .refusal = why})));
}

}  // namespace orrery::experiment::internal
