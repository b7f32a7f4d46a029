#pragma once

#include <memory>
#include <optional>
#include <string>

#include "orrery/base/system/pace.h"
#include "orrery/cli/live/live_peer.h"
#include "orrery/cli/request/requests.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/sdk/live/live_run.h"
#include "orrery/sdk/steady_clock.h"

namespace orrery::cli {

/// Whether the run is one that somebody outside looks at, or looked at when it
/// was run for the first time.
[[nodiscard]] bool IsLive(const RunCommand& command);

/// Whether nothing but JSON Lines is to be printed.
[[nodiscard]] bool PrintsJsonLines(const RunCommand& command);

/// Checks what is asked for about that.
/// @throws Error kInvalidArgument for what does not go together.
void CheckLive(const RunCommand& command);

/// The time between two looks at what moves all the time, s.
/// @param interval that between rows of its results.
/// @throws Error kInvalidArgument if nothing says what it is.
[[nodiscard]] double LookPeriod(const RunCommand& command, double interval);

class ResultsSoFar;

/// A run in real time, one that somebody outside has a part in, or the
/// repetition of such a run.
class LiveSession {
 public:
  /// Connects to who has a part in it.
  /// @param run at its start; must outlive it, as must `command`.
  /// @throws Error kInvalidArgument for what is asked for and does not go with
  ///     this run; as MqttPeer.
  LiveSession(LiveRun& run, const RunCommand& command);

  /// Carries the run on, once. What it gives is stored as it goes on.
  /// @returns whether it is finished where it is; false: it was interrupted.
  bool Run(SavedExperiment& saved);

  /// Why it was interrupted, if not by the user; else empty.
  [[nodiscard]] const std::string& why() const noexcept { return why_; }

  /// Tells who has a part in it how it has ended.
  void TellEnd(const LiveEnd& end);

  /// What it was told belongs to what determines it.
  void TakeDown(SavedExperiment& saved) const;

  /// After a run that kept pace with the clock.
  [[nodiscard]] const std::optional<LagReport>& lag() const noexcept {
    return lag_;
  }

 private:
  void CheckRun() const;
  bool RunPaced(ResultsSoFar& results);

  LiveRun& run_;
  const RunCommand& command_;
  SteadyClock clock_;
  std::optional<LivePace> pace_;  // None: it does not wait for the clock.
  std::string why_;
  std::optional<LagReport> lag_;
  std::unique_ptr<LivePeer> peer_;  // Null: nobody has a part in it.
};

[[nodiscard]] LiveEnd LiveEndOf(const RunResult& result);
[[nodiscard]] LiveEnd LiveEndOf(const DevsRunResult& result);
[[nodiscard]] LiveEnd LiveEndOf(const ProcessRunResult& result);
[[nodiscard]] LiveEnd LiveEndOf(const JointRunResult& result);

/// Carries out a live run of some kind, which is over then.
/// @returns what it leaves.
template <typename Run>
[[nodiscard]] auto CarryOut(Run& run,
                            LiveSession& session,
                            SavedExperiment& saved) {
  auto result =
      session.Run(saved) ? run.Finish() : run.Interrupt(session.why());
  session.TellEnd(LiveEndOf(result));
  return result;
}

}  // namespace orrery::cli
