#include "orrery/sim/run/run_ticks.h"

#include <algorithm>
#include <cstddef>

#include "orrery/sim/run/run_events.h"
#include "orrery/sim/run/run_values.h"

namespace orrery::sim::internal {
namespace {

// Limit on reserved numbers in rows, and on notes.
constexpr std::size_t kMostReserved = 10'000'000;

}  // namespace

void PrepareTicks(RunState& run) {
  run.has_only_ticks = !run.moves && run.sensitivities == nullptr &&
                       run.inputs.driven().empty() &&
                       !run.rows.refinement.AreFollowed() &&
                       run.events.HasOnlyTicks();
  if (run.has_only_ticks) {
    const std::size_t ticks = run.events.CountTicks(run.options.stop);
    const std::size_t width = run.rows.recorder.layout().table->columns() + 1;
    run.events.ReserveNotes(std::min(ticks, kMostReserved));
    run.rows.recorder.Reserve(std::min(2 * ticks, kMostReserved / width) + 2);
  }
}

bool PassTick(RunState& run) {
  run.t = run.events.next_time();
  run.evaluator.set_t(run.t);
  run.is_settled = false;
  run.has_relation_changed = false;
  run.rows.recorder.Keep(run.evaluator.memory());
  const EventOutcome outcome = run.events.RunTicks(run.t);
  const bool is_done =
      FinishEvent(run, outcome) &&
      (outcome.leaves_finite ||
       !run.rows.recorder.FindNotFinite(run.evaluator.memory()) ||
       ComputeOrEnd(run, run.t, run.x, ProgramEvaluator::LoopStart::kMemory));
  if (!is_done) {
    RecordLeftLimit(run);
    return false;
  }
  RecordEvent(run, /*is_noted=*/true);
  run.rows.grid.SkipTo(run.t);
  return true;
}

}  // namespace orrery::sim::internal
