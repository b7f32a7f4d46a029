#pragma once

#include <chrono>
#include <string>

#include "orrery/cli/internal/saving.h"
#include "orrery/sdk/live_run.h"

namespace orrery::cli {

/// Stores what a live run has come to, as it goes on: whatever ends its
/// process, all is there but the last second.
class ResultsSoFar {
 public:
  /// @param run which must outlive it, as must `saved`.
  /// @param program what messages call the program.
  ResultsSoFar(LiveRun& run, SavedExperiment& saved, std::string program);

  /// Stores what is new, if that is due. Where that cannot be done it tells so,
  /// once: the run goes on, and all is stored at its end.
  void Keep();

 private:
  using Clock = std::chrono::steady_clock;

  void Store();

  LiveRun& run_;
  SavedExperiment& saved_;
  std::string program_;
  Clock::time_point due_;
  bool has_events_ = false;  // Of the run, in the store; there may be none.
  bool is_broken_ = false;
};

}  // namespace orrery::cli
