#pragma once

#include <memory>
#include <optional>

#include "orrery/base/pace.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/live_peer.h"
#include "orrery/sdk/live_run.h"
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

/// A run of equations in real time, one that somebody outside has a part in, or
/// the repetition of such a run.
class LiveSession {
 public:
  /// Completes the start, and connects to who has a part in it.
  /// @param command must outlive it.
  /// @throws Error as LiveRun and MqttPeer.
  LiveSession(std::shared_ptr<const Program> program,
              const RunCommand& command);

  /// Once.
  RunResult Run();

  /// What it was told.
  [[nodiscard]] const LiveRecord& record() const noexcept {
    return run_ ? run_->record() : *command_.live;
  }

  /// After a run that kept pace with the clock.
  [[nodiscard]] const std::optional<LagReport>& lag() const noexcept {
    return lag_;
  }

 private:
  RunResult RunPaced();

  std::shared_ptr<const Program> program_;
  const RunCommand& command_;
  std::optional<LiveRun> run_;      // None: it is a repetition.
  std::unique_ptr<LivePeer> peer_;  // Null: nobody has a part in it.
  SteadyClock clock_;
  std::optional<LagReport> lag_;
};

}  // namespace orrery::cli
