#include "orrery/devs/engine/instant.h"

#include <algorithm>
#include <cstdint>

#include "orrery/devs/engine/failures.h"
#include "orrery/devs/engine/microstep.h"
#include "orrery/devs/engine/run.h"

namespace orrery::devs::internal {

namespace {

void BeginInstant(Run& run, std::int64_t time) {
  CheckGoesOn(run);
  run.watchers.DropIgnored();
  run.schedule.SetNow(time);
  run.microsteps.here = 0;
  run.microsteps.moved_lately.clear();
}

void RunDue(Run& run) {
  if (run.options.formalism == Formalism::kParallel) {
    RunParallel(run);
  } else {
    RunClassic(run);
  }
  if (!run.has_work() && !run.lane.changes.empty()) {
    run.changes.Make(run);
  }
}

}  // namespace

void RunUntil(Run& run, std::int64_t end) {
  CheckGoesOn(run);
  for (std::int64_t next = run.NextTime();
       next <= end && next != Schedule::kNever;
       next = run.NextTime()) {
    RunInstant(run, next);
  }
  if (end != Schedule::kNever) {
    run.schedule.SetNow(std::max(run.now(), end));
  }
}

void RunInstant(Run& run, std::int64_t time) {
  BeginInstant(run, time);
  run.schedule.TakeNext();
  Guard(run, [&run] {
    do {
      RunDue(run);
    } while (run.has_work());
  });
}

void RunMicrostep(Run& run, std::int64_t time) {
  if (time > run.now()) {
    BeginInstant(run, time);
  }
  CheckGoesOn(run);
  run.schedule.TakeNext();
  Guard(run, [&run] { RunDue(run); });
}

}  // namespace orrery::devs::internal
