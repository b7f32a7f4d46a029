#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/time.h"
#include "orrery/cli/live/live_request.h"
#include "orrery/sdk/live/live_pace.h"

namespace orrery::cli {

/// How a run has ended. Plain data.
struct LiveEnd {
  double time = 0;  ///< s
  std::string status;
  std::string message;  ///< May be empty.
};

/// Somebody outside a run of any kind of model: he is told of it, and may ask
/// for things meanwhile.
class LivePeer {
 public:
  LivePeer() = default;
  LivePeer(const LivePeer&) = delete;
  LivePeer& operator=(const LivePeer&) = delete;
  virtual ~LivePeer() = default;

  /// Before a run that keeps pace with the clock: from now on he may post to
  /// `pace`, up to End() or the end of his life.
  virtual void Begin(LivePace& pace) = 0;

  /// What there is to tell; in the thread of the run.
  virtual void Show(std::span<const LiveRow> rows) = 0;

  /// After the run.
  virtual void End(const LiveEnd& end) = 0;
};

/// Takes answers to a request. Its functions are called by the thread of the
/// run.
struct LiveAnswer {
  std::function<void(const LiveRun& run)> done;
  std::function<void(const std::string& why)> refused;
};

/// Has done what a request asks for.
void CarryOut(const LiveRequest& request, LivePace& pace, LiveAnswer answer);

/// After the last request of who alone can make one: a pause ends, and none
/// begins.
void LetGo(LivePace& pace);

/// Whoever types on the standard input; answers go to the standard output, and
/// messages as they come. What moves all the time is told if he asks.
[[nodiscard]] std::unique_ptr<LivePeer> TypingPeer(const LiveRun& run);

/// Whoever writes JSON Lines to the standard input, and reads them from the
/// standard output.
[[nodiscard]] std::unique_ptr<LivePeer> JsonLinesPeer();

/// Carries on a run that waits for JSON Lines on the standard input, and writes
/// rows of them to the standard output at each time to look at. What a line
/// sets without a time is set at once, and the run then goes on to its next
/// time to look at; with a time it goes on to that, and there the values are
/// set. When there are no more lines it goes on to its end.
///
/// Of a run that is looked at when something happens there may be any number of
/// rows at a time: a line with the status "waiting" follows them.
/// @param period that it goes on by without a time, if that is given.
/// @param goes_on is asked several times a second.
/// @returns whether it is to be finished there; false: somebody does not want
///     to go on.
[[nodiscard]] bool RunInLockstep(LiveRun& run,
                                 std::optional<Seconds> period,
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
