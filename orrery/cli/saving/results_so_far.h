#pragma once

#include <chrono>
#include <string>

#include "orrery/cli/saving/saving.h"
#include "orrery/sdk/live/live_run.h"

namespace orrery::cli {

/// Stores the results of a live run as it goes on, and tells watched signals to
/// a program that asks for them. If its process dies, only the last second is
/// lost.
class ResultsSoFar {
 public:
  /// @param run must outlive it, as must `saved`.
  /// @param program the name of the program in messages.
  /// @param report takes new rows; must outlive it, too.
  ResultsSoFar(LiveRun& run,
               SavedExperiment& saved,
               std::string program,
               ReportStream& report);

  /// Stores new results, if that is due. Tells the first failure: the run goes
  /// on, and all is stored at its end.
  void Keep();

  /// Tells the rows that are not told yet, at the end of the run.
  void TellRest() { report_.Show(run_.TakeResults().rows); }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Clock::duration Between() const;
  void Store(const NewResults& results);

  LiveRun& run_;
  SavedExperiment& saved_;
  std::string program_;
  ReportStream& report_;
  Clock::time_point due_;
  bool has_events_ = false;  // The store has events of the run, or none.
  bool is_broken_ = false;
};

}  // namespace orrery::cli
