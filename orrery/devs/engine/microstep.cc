#include "orrery/devs/engine/microstep.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "orrery/devs/engine/failures.h"
#include "orrery/devs/engine/run.h"
#include "orrery/devs/engine/transitions.h"

namespace orrery::devs::internal {

void RunParallel(Run& run) {
  run.imminent.swap(run.schedule.due());
  if (!run.watchers.empty()) {
    std::ranges::sort(run.imminent);
  }
  CountMicrostep(run, run.imminent);
  SendAll(run, run.imminent);
  RethrowFailure(run);
  SendInjected(run);
  Deliver(run);
  MoveImminent(run, run.imminent);
  run.imminent.clear();
  MoveReceivers(run);
  Forget(run);
  RethrowFailure(run);
}

void RunClassic(Run& run) {
  run.selection.Add(run.schedule.due(), run.now());
  run.schedule.due().clear();
  if (run.injections.NextTime() == run.now()) {
    CountMicrostep(run, {});
    SendInjected(run);
    Deliver(run);
  } else {
    const std::uint32_t chosen = run.selection.Take(run);
    if (chosen == Lane::kNone) {
      return;
    }
    CountMicrostep(run, std::span(&chosen, 1));
    Send(run, chosen);
    Deliver(run);
    Move(run, chosen, Transition::kInternal);
  }
  for (const std::uint32_t model : run.router.receivers()) {
    Move(run, model, Transition::kExternal);
  }
  Forget(run);
}

}  // namespace orrery::devs::internal
