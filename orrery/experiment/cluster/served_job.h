#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "orrery/base/time.h"
#include "orrery/experiment/cluster/cluster.h"
#include "orrery/experiment/cluster/jet_stream.h"
#include "orrery/experiment/cluster/job_messages.h"

namespace orrery::experiment::internal {

/// A job in a worker, for all of its lanes.
class ServedJob {
 public:
  /// @param definition without a value if it cannot be read.
  ServedJob(JobNames names, std::optional<JobDefinition> definition)
      : names_(std::move(names)), definition_(std::move(definition)) {}

  [[nodiscard]] const JobNames& names() const noexcept { return names_; }

  /// Time without a sign of life after which a worker counts as dead.
  [[nodiscard]] Duration patience() const {
    return definition_ ? definition_->patience : Duration{};
  }

  /// Returns the content, which the first caller makes. Null, from then on, if
  /// this worker cannot or will not make it; the submitter has been told why.
  /// @param worker its name in messages of the submitter.
  [[nodiscard]] const JobContent* Content(JetStream& server,
                                          const WorkerOptions& options,
                                          const std::string& worker);

  /// True if there is nothing left to do for it.
  [[nodiscard]] bool is_over() const { return is_over_; }

  void End() { is_over_ = true; }

 private:
  [[nodiscard]] JobContent Load(JetStream& server,
                                const WorkerOptions& options) const;

  JobNames names_;
  std::optional<JobDefinition> definition_;
  std::atomic<bool> is_over_ = false;
  std::mutex mutex_;
  bool is_loaded_ = false;
  std::optional<JobContent> content_;
};

/// Tells the submitter of a job why this worker takes no part.
void Refuse(JetStream& server,
            const JobNames& names,
            const std::string& worker,
            const std::string& why);

}  // namespace orrery::experiment::internal
