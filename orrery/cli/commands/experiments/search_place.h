#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "orrery/cli/request/requests.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace orrery::cli {

/// The place of the runs of a search, which requests them one by one, and its
/// progress bar. The place is the threads of this machine, or a cluster.
class SearchPlace {
 public:
  /// @param make_job makes the job of the search; called only for a cluster.
  /// @throws Error as ClusterRuns.
  SearchPlace(const WhereToRun& where,
              const RunCommand& run,
              const std::function<ClusterJob()>& make_job);

  [[nodiscard]] ProgressBar& bar() noexcept { return bar_; }

  /// Has as many lanes as runs are to be carried out at once.
  [[nodiscard]] Executor& executor() noexcept { return threads_; }

  /// Returns the replacement of a subject of the job in the cluster; the
  /// subject itself for threads.
  [[nodiscard]] SubjectStandIn StandIn();

  /// Returns a function that is true while the search is to go on.
  [[nodiscard]] GoesOn goes_on() const;

  /// Tells the user if the cluster cannot go on.
  void TellTrouble() const;

 private:
  const RunCommand& run_;
  InterruptGuard guard_;
  ProgressBar bar_;
  SteadyClock clock_;
  std::optional<ClusterRuns> cluster_;
  ThreadPool threads_;
};

}  // namespace orrery::cli
