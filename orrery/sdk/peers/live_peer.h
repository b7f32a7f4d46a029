#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/time.h"
#include "orrery/sdk/live/live_pace.h"
#include "orrery/sdk/peers/live_request.h"

namespace orrery {

/// The end of a run. Plain data.
struct LiveEnd {
  double time = 0;  ///< s
  std::string status;
  std::string message;  ///< May be empty.
};

/// A partner outside of a run of any kind of model, who gets its outputs and
/// may send requests.
class LivePeer {
 public:
  LivePeer() = default;
  LivePeer(const LivePeer&) = delete;
  LivePeer& operator=(const LivePeer&) = delete;
  virtual ~LivePeer() = default;

  /// Called before a run that keeps pace with the clock. From now on the peer
  /// may post to `pace`, until End() or its destruction.
  virtual void Begin(LivePace& pace) = 0;

  /// Shows new rows; in the thread of the run.
  virtual void Show(std::span<const LiveRow> rows) = 0;

  /// After the run.
  virtual void End(const LiveEnd& end) = 0;
};

/// Takes answers to a request. The thread of the run calls its functions.
struct LiveAnswer {
  std::function<void(const LiveRun& run)> done;
  std::function<void(const std::string& why)> refused;
};

/// Carries out a request.
void CarryOut(const LiveRequest& request, LivePace& pace, LiveAnswer answer);

/// Called after the last request of the only peer that can send requests: ends
/// a pause, and allows no new one.
void LetGo(LivePace& pace);

/// The two ends of a connection by lines. They belong to the caller.
struct LineStreams {
  int input;          ///< A file descriptor.
  std::FILE* output;  ///< Flushed after each line.
};

/// A program that writes JSON Lines to `streams.input`, and reads them from
/// `streams.output`.
[[nodiscard]] std::unique_ptr<LivePeer> JsonLinesPeer(
    const LineStreams& streams);

/// Continues a run that waits for JSON Lines on the input, and writes rows to
/// the output at each output time. A line without a time sets its values at
/// once, and the run then goes on to its next output time. A line with a time
/// lets the run go on to that time, where the values are set. At the end of the
/// input it goes on to its end.
///
/// A run with outputs at events may have any number of rows at a time; a line
/// with the status "waiting" follows them.
/// @param period between output times for lines without a time, if given.
/// @param goes_on called several times a second.
/// @returns true if the run is to be finished there; false if `goes_on` has
///     returned false.
[[nodiscard]] bool RunInLockstep(LiveRun& run,
                                 const LineStreams& streams,
                                 std::optional<Seconds> period,
                                 const std::function<bool()>& goes_on);

/// The clients of an MQTT broker.
/// @param url `mqtt://user:password@host:port/prefix`, or `mqtts://...` by TLS.
/// @param default_password for a user without one in the URL.
/// @param run the run whose quantities are published.
/// @throws Error kInvalidArgument for another text, and for a quantity with the
///     name of a topic; kIo if the broker does not answer within 5 s or
///     refuses.
[[nodiscard]] std::unique_ptr<LivePeer> MqttPeer(
    const std::string& url,
    const std::string& default_password,
    const LiveRun& run);

}  // namespace orrery
