#include "orrery/sim/run/run_step.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "orrery/sim/explain/explain.h"
#include "orrery/sim/run/loop_paths.h"
#include "orrery/sim/run/run_constraints.h"
#include "orrery/sim/run/run_end.h"
#include "orrery/sim/run/run_events.h"
#include "orrery/sim/run/run_rows.h"
#include "orrery/sim/run/run_sliding.h"
#include "orrery/sim/run/run_values.h"
#include "orrery/sim/run/step_attempt.h"
#include "orrery/sim/run/step_changes.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::sim::internal {
namespace {

// Moves to the end of a step, or to a time within it that others have to see.
bool Reach(RunState& run, double reached) {
  const double before = std::exchange(run.t, reached);
  run.is_settled = false;
  if (run.integrator == nullptr) {
    return FollowLoops(run, before);
  }
  run.StatesAt(run.t, run.x);
  if (run.t < run.active_integrator()->t()) {
    run.needs_restart = run.is_sliding() || !run.evaluator.delays().empty();
    return true;
  }
  if (run.is_sliding()) {
    return CorrectSliding(run);
  }
  if (run.loops.at_end.empty()) {
    run.ode.Accept();
  } else {
    run.evaluator.context().loop_starts = run.loops.at_end;
  }
  return FollowLoops(run, before) &&
         (run.needs_restart || run.constraints.projection == nullptr ||
          ReturnToConstraints(run));
}

bool ConfirmDelays(RunState& run, double reached) {
  return run.evaluator.delays().empty() ||
         run.evaluator.delays().Confirms(run.dense(), reached, run.inputs);
}

// Carries out an event if one follows from the step that ends here.
bool PassStepEvent(RunState& run) {
  const EventProgram& events = run.program.events;
  if (events.step_slots.empty() || run.integrator == nullptr ||
      run.t < run.active_integrator()->t()) {
    return true;
  }
  run.is_settled = false;
  auto failure = WritePoint(run, run.t, run.x);
  if (!failure) {
    failure = run.evaluator.Run(events.after_step);
  }
  if (failure) {
    return EndRun(run, ExplainFailure(run.evaluator, *failure));
  }
  const bool is_due = std::ranges::any_of(
      events.step_slots,
      [&](std::uint32_t slot) { return run.evaluator.memory()[slot] != 0; });
  return !is_due || HandleEvent(run);
}

// How an attempt at a step has ended.
enum class AttemptEnd : std::uint8_t {
  kWhole,  // The step holds, but for events in it.
  kAnew,   // Integration begins anew where the run stands.
  kEnded   // The run has ended.
};

// Attempts one step towards `limit` in the piece that ends at `end`.
// @param reached receives its end, if it holds.
AttemptEnd AttemptStep(RunState& run,
                       double limit,
                       double end,
                       double& reached) {
  reached = limit;
  BeginLoopPath(run);
  if (run.integrator != nullptr) {
    const StepResult result = EndAtEvents(run, TakeStep(run, limit, end));
    if (!result.stepped()) {
      return PassFailure(run) || EndStep(run, result) ? AttemptEnd::kAnew
                                                      : AttemptEnd::kEnded;
    }
    reached = run.active_integrator()->t();
    if (run.plan.integrates_loops && !KeepLoops(run, reached)) {
      return RetakeForLoops(run, reached) ? AttemptEnd::kAnew
                                          : AttemptEnd::kEnded;
    }
  } else if (run.events.has_relations() || run.outside.watch != nullptr ||
             run.plan.follows_loops) {
    reached = std::min(limit, run.t + run.options.max_step);
  } else {
    reached = std::min(limit, run.rows.grid.next());
  }
  reached = std::min(reached, end);
  if (!ConfirmDelays(run, reached)) {
    run.needs_restart = true;  // With a shorter step.
    return AttemptEnd::kAnew;
  }
  return AttemptEnd::kWhole;
}

// Passes the events in a step that holds up to `reached`, and moves to its end
// if none of them makes the rest invalid.
// @returns false if the run has ended.
bool CompleteStep(RunState& run, double reached, double end) {
  const bool watches =
      run.events.has_relations() || run.outside.watch != nullptr;
  if (watches && !PassChanges(run, reached, end)) {
    return false;
  }
  return run.needs_restart ||
         (Reach(run, std::min(reached, run.outside.stop)) && KeepsRest(run) &&
          RecordDelays(run) && EmitRows(run, end) && PassStepEvent(run));
}

}  // namespace

std::optional<StepPlan> PlanStep(RunState& run, double limit) {
  const double change = run.NextChange();
  const double end = std::min(change, limit);
  if (run.has_ended() || run.integrator == nullptr || run.is_sliding() ||
      run.sensitivities != nullptr || run.constraints.projection != nullptr ||
      end - run.t <= Rounding(end)) {
    return std::nullopt;
  }
  BeginPiece(run);
  if (run.integrator->t() > run.t) {
    return std::nullopt;
  }
  return StepPlan{.integrator = *run.integrator,
                  .until = NextObservation(run, end),
                  .limit = StepLimit(run, change, limit)};
}

bool RecordDelays(RunState& run) {
  if (run.evaluator.delays().empty()) {
    return true;
  }
  const auto failure =
      run.evaluator.delays().Record(run.dense(), run.t, run.inputs);
  return !failure || EndRun(run, ExplainFailure(run.evaluator, *failure));
}

// One step of a run:
//
//     end = the next event at a known time, or `limit`
//     if anything varies before `end`:
//       restart the integration, if the equations have changed
//       attempt a step, as far as the equations are smooth
//       if the step holds:
//         for each change of a relation in it, until one makes the rest
//         invalid:
//           record the rows before; carry out the event
//         if all of it is valid:
//           move to its end; return to constraints and sliding surfaces
//           record delayed values and rows
//       if `end` is not reached: stop here
//     carry out the event that is due at `end`, if any
//     record a row, if one is due
bool AdvanceTo(RunState& run, double limit, double foreseeable) {
  const double change = run.NextChange();
  const double end = std::min(change, limit);
  const bool is_way_empty =
      !run.moves && run.outside.watch == nullptr && run.rows.grid.next() >= end;
  if (end - run.t > Rounding(end) && !is_way_empty) {
    BeginPiece(run);
    run.is_settled = false;
    double reached = 0;
    const AttemptEnd attempt =
        AttemptStep(run,
                    StepLimit(run, change, std::max(limit, foreseeable)),
                    end,
                    reached);
    if (attempt == AttemptEnd::kEnded ||
        (attempt == AttemptEnd::kWhole && !CompleteStep(run, reached, end))) {
      return false;
    }
    if (run.t >= run.barrier) {
      run.barrier = kNever;
    }
    // An event in the step may have brought the next one forward.
    if (end - run.t > Rounding(end)) {
      return run.t < run.outside.stop;
    }
  }
  run.is_settled = run.is_settled && run.t == end;
  run.t = end;
  const bool has_event = change <= end && run.t < run.outside.leave_from;
  if (has_event && !HandleEvent(run)) {
    return false;
  }
  const bool is_step_end =
      run.rows.refinement.AreFollowed() ||
      (run.options.interval == 0 && run.integrator != nullptr &&
       run.active_integrator()->t() - run.t <= Rounding(run.t));
  const bool is_row = run.rows.grid.next() - run.t <= Rounding(run.t);
  if ((has_event || is_row || is_step_end) && !RecordNow(run)) {
    return false;
  }
  run.rows.grid.SkipTo(end);
  return run.t < std::min(limit, run.outside.stop);
}

}  // namespace orrery::sim::internal
