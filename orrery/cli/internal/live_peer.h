#pragma once

#include <functional>
#include <memory>
#include <string>

#include "orrery/cli/internal/live_request.h"
#include "orrery/sdk/live_pace.h"

namespace orrery::cli {

/// Somebody outside a run that keeps pace with the clock: he is shown it each
/// period, and may ask for things meanwhile.
class LivePeer {
 public:
  LivePeer() = default;
  LivePeer(const LivePeer&) = delete;
  LivePeer& operator=(const LivePeer&) = delete;
  virtual ~LivePeer() = default;

  /// Before the run: from now on he may post to `pace`, up to End() or the end
  /// of his life.
  virtual void Begin(LivePace& pace) = 0;

  /// At each time to look at; in the thread of the run.
  virtual void Show(const LiveRun& run) = 0;

  /// After the run.
  virtual void End(const RunResult& result) = 0;
};

/// Takes answers to a request. Its functions are called by the thread of the
/// run.
struct LiveAnswer {
  std::function<void(const LiveRun& run)> done;
  std::function<void(const std::string& why)> refused;
};

/// Has done what a request asks for.
void CarryOut(const LiveRequest& request, LivePace& pace, LiveAnswer answer);

/// Whoever types on the standard input; answers go to the standard output.
[[nodiscard]] std::unique_ptr<LivePeer> TypingPeer();

/// Whoever writes JSON Lines to the standard input, and reads them from the
/// standard output.
[[nodiscard]] std::unique_ptr<LivePeer> JsonLinesPeer();

/// Carries on a run that waits for JSON Lines on the standard input, and writes
/// a row of them to the standard output at each time to look at. What a line
/// sets without a time is set at once, and the run then goes on by a period;
/// with a time it goes on to that, and there the values are set. When there are
/// no more lines it goes on to its end.
/// @param goes_on is asked several times a second.
/// @returns what it has come to.
[[nodiscard]] RunResult RunInLockstep(LiveRun& run,
                                      const std::function<bool()>& goes_on);

/// Whoever is connected to an MQTT broker.
/// @param url `mqtt://user:password@host:port/prefix`, or `mqtts://...` by TLS.
/// @param run whose quantities are published.
/// @throws Error kInvalidArgument for another text, and for a quantity with the
///     name of a topic; kIo if the broker does not answer within 5 s or
///     refuses.
[[nodiscard]] std::unique_ptr<LivePeer> MqttPeer(const std::string& url,
                                                 const LiveRun& run);

}  // namespace orrery::cli
