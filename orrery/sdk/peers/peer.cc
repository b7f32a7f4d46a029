
#include "orrery/sdk/peers/peer.h"

#include <utility>

#include "orrery/base/error.h"

namespace orrery {
namespace {

using RequestKind = LiveRequest::Kind;

// Returns an action for the thread of the run that also sends the answer.
LivePace::Act Answered(LiveAnswer answer, std::function<void(LiveRun&)> act) {
  return [answer = std::move(answer), act = std::move(act)](LiveRun& run) {
    try {
      if (act) {
        act(run);
      }
    } catch (const Error& error) {
      answer.refused(error.what());
      return;
    }
    answer.done(run);
  };
}

// Returns the effect of a request on the run.
std::function<void(LiveRun&)> DeedOn(LivePace& pace,
                                     const LiveRequest& request) {
  switch (request.kind) {
    case RequestKind::kSet:
      return [settings = request.settings](LiveRun& run) {
        run.Set(settings);
      };
    case RequestKind::kShow:
      return [names = request.names](LiveRun& run) {
        static_cast<void>(run.Values(names));  // Throws if there is none.
      };
    case RequestKind::kPause:
      return [&pace](LiveRun&) {
        pace.Pause();
      };
    case RequestKind::kResume:
      return [&pace](LiveRun&) {
        pace.Resume();
      };
    case RequestKind::kPace:
      return [&pace, speed = request.speed](LiveRun&) {
        pace.SetFactor(pace.factor() / speed);
      };
    case RequestKind::kStop:
      return [&pace](LiveRun&) {
        pace.Stop();
      };
    case RequestKind::kNothing:
    case RequestKind::kHelp:
      break;
  }
  return {};
}

}  // namespace

void CarryOut(const LiveRequest& request, LivePace& pace, LiveAnswer answer) {
  auto act = Answered(std::move(answer), DeedOn(pace, request));
  if (request.time) {
    pace.Post(std::move(act), *request.time);
  } else {
    pace.Post(std::move(act));
  }
}

// After all earlier requests.
void LetGo(LivePace& pace) {
  pace.Post([&pace](LiveRun&) { pace.LetGo(); });
}

}  // namespace orrery
