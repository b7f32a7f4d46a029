#pragma once

#include <functional>
#include <span>
#include <string>

#include "orrery/sdk/live/live_pace.h"
#include "orrery/sdk/live/live_run.h"
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

}  // namespace orrery
