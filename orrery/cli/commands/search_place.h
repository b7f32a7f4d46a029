#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "orrery/cli/commands/commands.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace orrery::cli {

/// Where the runs of a search are carried out, which asks for them as it learns
/// from the last ones, and the bar that shows how far it is: threads of this
/// machine, or a cluster.
class SearchPlace {
 public:
  /// @param make_job of the search; called if it is a cluster.
  /// @throws Error as ClusterRuns.
  SearchPlace(const WhereToRun& where,
              const RunCommand& run,
              const std::function<ClusterJob()>& make_job);

  [[nodiscard]] ProgressBar& bar() noexcept { return bar_; }

  /// As many lanes as runs are to be at work at once.
  [[nodiscard]] Executor& executor() noexcept { return threads_; }

  /// What stands for a subject of the job there; itself, if it is here.
  [[nodiscard]] SubjectStandIn StandIn();

  /// Whether the search is to go on.
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
