#include "orrery/sim/run/step_changes.h"

#include <algorithm>

#include "orrery/sim/run/run_events.h"
#include "orrery/sim/run/run_rows.h"
#include "orrery/sim/run/run_sliding.h"
#include "orrery/sim/run/run_step.h"
#include "orrery/sim/types/rounding.h"
#include "orrery/sim/types/ticks.h"

namespace orrery::sim::internal {
namespace {

// Events in a step in which relations should have changed, but did not:
// rounding differs there, perhaps for long.
constexpr int kMostUnchanged = 200;

// Moves a change to a row if only rounding keeps it from there: the row would
// not show it, or would be a second one.
double AtRow(const RunState& run, double change, double reached) {
  const double row = run.rows.grid.next();
  const bool is_at_row =
      row > change && row - change <= Rounding(change) && row <= reached;
  return is_at_row ? row : change;
}

double FirstOfEquations(RunState& run, double begin, double reached) {
  if (!run.events.has_relations() || reached <= run.quiet_until) {
    return kNever;
  }
  if (!run.is_sliding()) {
    const bool is_seen = !run.plan.rearms || run.outside.watch != nullptr;
    return run.events.FirstChange(run.dense(), begin, reached, !is_seen);
  }
  const double change = run.events.FirstChange(run.dense(), begin, reached);
  return std::min(change,
                  run.sliding.motion->FindExit(
                      run.dense(), begin, std::min(change, reached)));
}

// Stops at the tick at which others see the changes of `seen`.
void StopFor(RunState& run, double seen) {
  run.outside.stop = TickFrom(seen);
  run.outside.leave_from = std::min(run.outside.leave_from, run.outside.stop);
}

// The first time in (begin, reached] at which a relation changes or a sliding
// motion ends, up to the tick at which others see a change.
double FirstChange(RunState& run, double begin, double reached) {
  if (run.outside.watch == nullptr || run.outside.stop != kNever) {
    return FirstOfEquations(run, begin, reached);
  }
  const double change = FirstOfEquations(run, begin, reached);
  const double seen =
      run.outside.watch->First(run.dense(), begin, std::min(change, reached));
  if (seen < kNever) {
    StopFor(run, seen);
  }
  if (change > run.outside.stop) {
    return kNever;
  }
  return change;
}

}  // namespace

bool PassChanges(RunState& run, double reached, double end) {
  double begin = run.t;
  int num_unchanged = 0;
  double passed_over = 0;
  while (begin < std::min(reached, run.outside.stop) && !run.needs_restart) {
    const double change =
        FirstChange(run, begin, std::min(reached, run.outside.stop));
    if (change == kNever) {
      return true;
    }
    if (change >= run.outside.leave_from) {
      run.outside.is_due = true;
      return true;
    }
    begin = AtRow(run, change, std::min(reached, run.outside.stop));
    run.t = begin;
    run.StatesAt(run.t, run.x);
    run.num_cut = 0;
    if (!RecordDelays(run) || !EmitRows(run, end) || !HandleEvent(run)) {
      return false;
    }
    if (end - run.t > Rounding(end)) {  // Else the end may have a row.
      run.rows.grid.SkipTo(run.t);
    }
    if (!run.needs_restart) {
      run.needs_restart = run.NextTime() < reached;
      if (!run.has_relation_changed && ++num_unchanged > kMostUnchanged) {
        passed_over = std::max(2 * passed_over, Rounding(begin));
        begin += passed_over;
      }
      continue;
    }
    if (!WatchPace(run)) {
      return false;
    }
  }
  return true;
}

void CheckWatches(RunState& run) {
  if (run.outside.watch != nullptr && run.outside.stop == kNever &&
      run.outside.watch->HasChanged()) {
    StopFor(run, run.t);
  }
}

}  // namespace orrery::sim::internal
