#include "orrery/process/engine/driver.h"

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/engine/instant.h"
#include "orrery/process/run/run.h"
#include "orrery/process/run/while_true.h"

namespace orrery::process::internal {

using orrery::ToText;

namespace {

constexpr Duration kNever = Calendar::kNever;

}  // namespace

void RunUntil(Run& run, Duration end) {
  run.CheckIsIdle("run");
  run.CheckGoesOn();
  if (end < run.now()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run until " + ToText(end) + ": it is " +
                    ToText(run.now()) + " already");
  }
  const WhileTrue working(run.is_running);
  GoOnTo(run, end);
  for (Duration time = run.NextTime(); time <= end && time != kNever;
       time = run.NextTime()) {
    RunInstant(run, time);
  }
  if (end == kNever) {
    return;
  }
  run.calendar.SetNow(end);
  if (!run.evaluations.open().empty()) {
    run.evaluations.MarkOpen();
    RunInstant(run, end);
  }
}

bool RunNextInstant(Run& run) {
  run.CheckIsIdle("take a step");
  run.CheckGoesOn();
  GoOnTo(run, kNever);
  const Duration time = run.NextTime();
  if (time == kNever) {
    return false;
  }
  const WhileTrue working(run.is_running);
  RunInstant(run, time);
  return true;
}

void GoOnTo(Run& run, Duration horizon) {
  if (horizon > run.calendar.horizon()) {
    run.evaluations.MarkOpen();
  }
  run.calendar.SetHorizon(horizon);
}

bool RunMicrostepAt(Run& run, Duration time, bool is_first) {
  run.CheckIsIdle("take a step");
  run.CheckGoesOn();
  const WhileTrue working(run.is_running);
  if (time != run.now() || run.statistics.instants == 0) {
    BeginInstant(run, time);
  } else {
    TakeDue(run, time);  // Tasks that were spawned from outside.
  }
  if (is_first) {
    run.evaluations.EvaluateConditions(run);
  }
  return RunMicrostep(run);
}

void EndMicrostep(Run& run) {
  const WhileTrue working(run.is_running);
  run.evaluations.EvaluateConditions(run);
}

void EndInstant(Run& run) {
  const WhileTrue working(run.is_running);
  run.evaluations.SampleResources(run);
}

}  // namespace orrery::process::internal
