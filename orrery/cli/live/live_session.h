#pragma once

#include <memory>
#include <optional>
#include <string>

#include "orrery/base/system/pace.h"
#include "orrery/cli/request/requests.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/sdk/live/live_run.h"
#include "orrery/sdk/peers/live_peer.h"
#include "orrery/sdk/steady_clock.h"

namespace orrery::cli {

/// True if a partner outside takes part in the run, or did so when it was run
/// for the first time.
[[nodiscard]] bool IsLive(const RunCommand& command);

/// True if another program is to be told the rows of the run while it goes on:
/// it is then carried out as a live run without a clock.
[[nodiscard]] bool IsShownMeanwhile(const RunCommand& command);

/// True if nothing but JSON Lines may be printed.
[[nodiscard]] bool PrintsJsonLines(const RunCommand& command);

/// Checks the options of live runs.
/// @throws Error kInvalidArgument for options that exclude each other.
void CheckLive(const RunCommand& command);

/// The time between two outputs of continuous variables, s.
/// @param interval between rows of its results.
/// @throws Error kInvalidArgument if no option determines it.
[[nodiscard]] double LookPeriod(const RunCommand& command, double interval);

/// The time between two looks at a run that is shown meanwhile, s: that between
/// its rows, or a longer one, so that looks take no time.
[[nodiscard]] double ShownPeriod(double start, double stop, double interval);

class ResultsSoFar;

/// A run in real time, a run with a partner outside, or the repetition of such
/// a run.
class LiveSession {
 public:
  /// Connects to the partner.
  /// @param run at its start; must outlive it, as must `command`.
  /// @throws Error kInvalidArgument for options that do not suit this run; as
  ///     MqttPeer.
  LiveSession(LiveRun& run, const RunCommand& command);

  /// Carries on the run, once. Stores its results as it goes on.
  /// @returns true if it is to be finished at its present time; false if it was
  ///     interrupted.
  bool Run(SavedExperiment& saved);

  /// The reason for an interruption, if it was not the user; else empty.
  [[nodiscard]] const std::string& why() const noexcept { return why_; }

  /// Tells the partner how the run has ended.
  void TellEnd(const LiveEnd& end);

  /// Saves the requests of the run, which belong to its definition.
  void TakeDown(SavedExperiment& saved) const;

  /// The lag, after a run that kept pace with the clock.
  [[nodiscard]] const std::optional<LagReport>& lag() const noexcept {
    return lag_;
  }

 private:
  void CheckRun() const;
  bool RunPaced(ResultsSoFar& results);
  bool RunShown(ResultsSoFar& results);

  LiveRun& run_;
  const RunCommand& command_;
  SteadyClock clock_;
  std::optional<LivePace> pace_;  // Without a value if it does not wait for the
                                  // clock.
  std::string why_;
  std::optional<LagReport> lag_;
  std::unique_ptr<LivePeer> peer_;  // Null if there is no partner.
};

[[nodiscard]] LiveEnd LiveEndOf(const RunResult& result);
[[nodiscard]] LiveEnd LiveEndOf(const DevsRunResult& result);
[[nodiscard]] LiveEnd LiveEndOf(const ProcessRunResult& result);
[[nodiscard]] LiveEnd LiveEndOf(const JointRunResult& result);

/// Carries out a live run of some kind, and ends it.
/// @returns its results.
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
