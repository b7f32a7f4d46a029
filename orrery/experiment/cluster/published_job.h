#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/system/wall_clock.h"
#include "orrery/base/time.h"
#include "orrery/experiment/cluster/cluster.h"
#include "orrery/experiment/cluster/jet_stream.h"
#include "orrery/experiment/cluster/job_messages.h"

namespace orrery::experiment::internal {

/// A job on the server: there as long as this object.
class PublishedJob {
 public:
  /// The messages of the workers since the last call.
  struct WorkerStatus {
    std::vector<WorkerReport> reports;
    /// There are no reports, and the tasks under way are nowhere: the server
    /// has lost them. They have to be published again.
    bool has_lost_tasks = false;
  };

  /// @throws Error as CarryOutOnCluster.
  PublishedJob(const ClusterJob& job,
               const ClusterOptions& options,
               const WallClock& clock);
  PublishedJob(const PublishedJob&) = delete;
  PublishedJob& operator=(const PublishedJob&) = delete;
  ~PublishedJob();

  /// For any thread. Tasks may get lost, which TakeStatus() reports later.
  void Publish(std::span<const RunTask> tasks);

  /// Waits for reports for a tenth of a second; for one thread at a time.
  /// @throws Error kIo once the server is lost; kInvalidModel if nobody can
  ///     carry the job out.
  [[nodiscard]] WorkerStatus TakeStatus();

 private:
  void Delete() noexcept;
  void Store(const std::string& subject, std::span<const std::string> messages);
  void PublishDefinition(const ClusterJob& job);
  void Take(WorkerReport report, WorkerStatus& news);
  [[nodiscard]] bool HasLostTasks();
  void Tell(const std::string& line) const;

  ClusterOptions options_;
  const WallClock& clock_;
  JetStream server_;
  JobNames names_;
  std::unique_ptr<Listener> presence_;
  std::unique_ptr<QueueReader> reports_;
  Duration heard_;  // When something was.
  bool has_told_silence_ = false;
};

}  // namespace orrery::experiment::internal
