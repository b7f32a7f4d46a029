#include "orrery/sdk/live/live_run.h"

#include <algorithm>
#include <cmath>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/text/pattern.h"

namespace orrery {

namespace internal = sdk::internal;

bool LiveRun::GoOnTo(double t) {
  ORRERY_CHECK(t <= next_time() || t <= this->t());
  if (t > this->t() && !has_ended()) {
    Advance(t);
  }
  return !has_ended();
}

bool LiveRun::Set(std::span<const Setting> settings) {
  Change(settings);
  record_.changes.push_back(
      {.time = t(), .settings = {settings.begin(), settings.end()}});
  return !has_ended();
}

void LiveRun::NoteEnd() {
  if (!has_ended()) {
    record_.end = t();
  }
}

bool Repeat(LiveRun& run,
            const LiveRecord& record,
            const std::function<bool(LiveRun&)>& look) {
  auto change = record.changes.begin();
  const double end = record.end.value_or(run.stop());
  while (true) {
    for (; change != record.changes.end() && change->time <= run.t();
         ++change) {
      if (!change->settings.empty()) {
        run.Set(change->settings);
      }
    }
    if (look && !look(run)) {
      return false;
    }
    if (run.has_ended() || run.t() >= end) {
      return true;
    }
    const double next = std::min(run.next_time(), end);
    run.GoOnTo(change != record.changes.end() ? std::min(change->time, next)
                                              : next);
  }
}

std::vector<std::string> internal::NamesThatFit(
    std::span<const std::string> patterns,
    std::span<const std::string> known,
    const std::string& model) {
  std::vector<std::string> names;
  for (const std::string& pattern : patterns) {
    bool fits = false;
    for (const std::string& name : known) {
      if (!FitsPattern(pattern, name)) {
        continue;
      }
      fits = true;
      if (std::ranges::find(names, name) == names.end()) {
        names.push_back(name);
      }
    }
    if (!fits) {
      std::string why = "cannot show '" + pattern + "': model ";
      why += model + " has no such quantity";
      why += Clause(Suggest(pattern, known));
      throw Error(ErrorCode::kInvalidArgument, why);
    }
  }
  return names;
}

PeriodicLiveRun::PeriodicLiveRun(double start, double stop, double period)
    : grid_(start, period), stop_(stop) {
  if (!(period > 0) || !std::isfinite(period) ||
      (std::isfinite(stop) && !((stop - start) / period < 0x1p53))) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot look at a run from " + ShortestText(start) + " s to " +
                    ShortestText(stop) + " s every " + ShortestText(period) +
                    " s; give a period above zero that is no rounding error "
                    "beside that");
  }
  record_.period = period;
}

}  // namespace orrery
