#include "orrery/sim/run/run_rows.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "orrery/sim/run/refined_rows.h"
#include "orrery/sim/run/run_end.h"
#include "orrery/sim/run/run_values.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::sim::internal {

bool EmitRows(RunState& run, double end) {
  while (run.rows.grid.next() < run.t - Rounding(run.t)) {
    const double t = run.rows.grid.next();
    run.rows.x.resize(run.x.size());
    run.StatesAt(t, run.rows.x);
    if (!RefineRows(run, t, run.rows.x) ||
        !RecordRefinedRow(run, t, run.rows.x)) {
      return false;
    }
    run.rows.grid.SkipTo(t);
  }
  if (!RefineRows(run, run.t, run.x)) {
    return false;
  }
  const bool is_within_step = run.t == run.outside.stop &&
                              run.integrator != nullptr &&
                              run.t < run.active_integrator()->t();
  const bool wanted =
      run.rows.grid.next() <= run.t || run.rows.refinement.AreFollowed() ||
      (run.options.interval == 0 && !is_within_step &&
       (run.rows.last < run.t || !HasFixedStep(run.options.method)));
  if (end - run.t > Rounding(end) && wanted) {
    // Equal but for rounding; refinement may have left a row at t.
    const double t =
        std::max(std::min(run.rows.grid.next(), run.t), run.rows.last);
    run.rows.grid.SkipTo(run.t);
    return RecordRefinedRow(run, t, run.x);
  }
  return true;
}

bool Record(RunState& run,
            double t,
            std::span<const double> x,
            ProgramEvaluator::LoopStart start) {
  const auto why = start == ProgramEvaluator::LoopStart::kAccepted
                       ? ComputeRowValues(run, t, x)
                       : ComputeValues(run, t, x, start);
  if (why) {
    return EndRun(run, *why);
  }
  // Else results would depend on the recorded signals.
  if (start == ProgramEvaluator::LoopStart::kMemory) {
    run.evaluator.AcceptLoops();
  }
  run.rows.recorder.Append(t, run.evaluator.memory());
  run.rows.last = t;
  return HasRoom(run);
}

bool HasRoom(RunState& run) {
  return run.rows.recorder.numbers() <= kMaxRecorded ||
         EndRun(
             run,
             {.outcome = RunOutcome::kStepLimit,
              .message = fmt::format(
                  "cannot go on at t = {:.6g} s: the {} rows so far, two at "
                  "each event, take {} numbers, and more do not fit in memory; "
                  "record less, or stop earlier",
                  run.t,
                  run.rows.recorder.rows(),
                  run.rows.recorder.numbers()),
              .diagnostics = {}});
}

bool RecordHere(RunState& run, ProgramEvaluator::LoopStart start) {
  return Record(run, run.t, run.x, start);
}

bool RecordNow(RunState& run) {
  return run.rows.last == run.t ||
         RecordHere(run, ProgramEvaluator::LoopStart::kAccepted);
}

void RecordLast(RunState& run) {
  if (run.rows.last < run.t) {
    RecordHere(run, ProgramEvaluator::LoopStart::kAccepted);
  }
}

}  // namespace orrery::sim::internal
