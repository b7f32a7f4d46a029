#include "orrery/sim/run/run_events.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/sim/events/explain_events.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/run/run_constraints.h"
#include "orrery/sim/run/run_end.h"
#include "orrery/sim/run/run_rows.h"
#include "orrery/sim/run/run_sliding.h"
#include "orrery/sim/run/run_values.h"
#include "orrery/sim/run/step_changes.h"

namespace orrery::sim::internal {
namespace {

std::optional<Explanation> ComputeLeftLimit(RunState& run) {
  if (run.moves) {
    return ComputeValues(
        run, run.t, run.x, ProgramEvaluator::LoopStart::kAccepted);
  }
  run.evaluator.set_t(run.t);
  return std::nullopt;
}

// Lets inputs jump and writes new values of parameters.
void ApplyExternalChanges(RunState& run) {
  if (run.inputs.next_jump() <= run.t) {
    run.inputs.GoTo(run.t);
    run.inputs.Apply(run.t, run.evaluator.memory());
    run.evaluator.NoteHeldChange();
    run.needs_restart = true;
  }
  if (std::exchange(run.outside.has_new_settings, false)) {
    static_cast<void>(
        run.settings.ApplyParameters(run.evaluator));  // Was tried.
    run.evaluator.NoteHeldChange();
    run.needs_restart = true;
  }
}

// Begins the event at t for the sensitivities.
void BeginSensitivityEvent(RunState& run) {
  if (run.sensitivities == nullptr) {
    return;
  }
  run.sensitivities->BeginEvent(run.t, run.t <= run.options.start);
  if (const auto direction = run.sensitivities->TakeParting()) {
    const std::string& name = run.plan.sensitivities[*direction];
    run.summary.diagnostics.push_back(MakeDiagnostic(
        Severity::kWarning,
        {},
        fmt::format("events that take place at once at t = {:.6g} s move apart "
                    "with {}: sensitivities to it from there on are those of "
                    "one of them",
                    run.t,
                    name),
        "let them take place at different times, or compare runs with other "
        "values of " +
            name));
  }
  if (run.constraints.projection != nullptr) {
    run.constraints.projection->NoteDrift(*DirectionsOf(run));
  }
}

void TellWarnings(RunState& run) {
  for (const CheckWarning& warning : run.events.TakeWarnings()) {
    run.summary.diagnostics.push_back(
        ExplainWarning(run.program, warning, run.t));
  }
}

// True if the last results of an event's own equations are the values after the
// event. Solutions of loops, delayed values, tangents and sliding motions need
// more than that.
bool LeavesRightLimit(const RunState& run) {
  return !run.events.is_empty() && run.program.blocks.empty() &&
         run.program.delays.empty() && run.sensitivities == nullptr &&
         run.sliding.motion == nullptr && run.constraints.projection == nullptr;
}

EventOutcome RunEngine(RunState& run, EventRunner runner) {
  const ProgramEvaluator::Following following = run.Follow();
  return run.events.is_empty() ? EventOutcome{} : (run.events.*runner)(run.t);
}

// Passes from the left limit to the right one.
bool RunEvent(RunState& run,
              EventRunner runner,
              std::span<const double> beyond,
              bool was_sliding) {
  BeginSensitivityEvent(run);
  if (auto failure = run.evaluator.delays().BeginEvent(run.t)) {
    return EndRun(run, ExplainFailure(run.evaluator, *failure));
  }
  if (!beyond.empty()) {
    run.evaluator.SetStates(beyond);
  }
  ApplyExternalChanges(run);
  run.evaluator.ForgetMatrices();
  const std::size_t noted = run.events.notes().size();
  const EventOutcome outcome = RunEngine(run, runner);
  if (!outcome.is_done() && outcome.kind != EventOutcome::Kind::kTerminated) {
    return FinishEvent(run, outcome);
  }
  if (outcome.changes_held) {
    run.evaluator.NoteHeldChange();
  }
  run.needs_restart =
      run.needs_restart || outcome.restarts ||
      (run.sensitivities != nullptr && run.sensitivities->HasHeldChanged());
  run.has_relation_changed = outcome.has_changed;
  ReadStates(run);
  NoteSetStates(run);
  if (!ResumeSliding(run, outcome, was_sliding) ||
      (run.constraints.projection != nullptr && !KeepConstraints(run))) {
    return false;
  }
  if (run.sensitivities != nullptr) {
    run.sensitivities->Hold();
  }
  const bool is_complete =
      runner == &EventEngine::Run && LeavesRightLimit(run) &&
      !run.rows.recorder.FindNotFinite(run.evaluator.memory());
  if (!is_complete &&
      !ComputeOrEnd(run, run.t, run.x, ProgramEvaluator::LoopStart::kMemory)) {
    return false;
  }
  if (run.sensitivities != nullptr && run.sensitivities->EndEvent(run.x) &&
      !ComputeOrEnd(run, run.t, run.x, ProgramEvaluator::LoopStart::kMemory)) {
    return false;
  }
  run.evaluator.AcceptLoops();
  if (run.evaluator.delays().EndEvent(run.t, run.needs_restart)) {
    run.needs_restart = true;
  }
  TellWarnings(run);
  if (run.sensitivities != nullptr) {
    run.sensitivities->ShowTimeShifts();
  }
  RecordEvent(run, run.events.notes().size() > noted || !outcome.is_done());
  if (run.sensitivities != nullptr) {
    run.sensitivities->Hold();
  }
  return HasRoom(run) && FinishEvent(run, outcome);
}

}  // namespace

bool HandleEvent(RunState& run,
                 EventRunner runner,
                 std::span<const double> beyond) {
  run.outside.is_due = false;
  run.quiet_until = run.t;
  run.loops.at_begin.clear();
  run.loops.at_end.clear();
  const bool was_sliding = run.is_sliding();
  if (was_sliding) {
    run.sliding.motion->MoveAside(run.t, run.x);
  }
  // If a relation has changed, there may be no left limit any more. If the
  // solution of a loop has ended, the left limit was before.
  const auto why =
      run.loops.has_lost_solution ? std::nullopt : ComputeLeftLimit(run);
  if (why && !run.events.HasRelationChanged()) {
    return EndRun(run, *why);
  }
  if (was_sliding) {
    run.sliding.motion->End();
  }
  if (why || run.loops.has_lost_solution) {
    run.rows.recorder.ForgetKept();
  } else {
    run.rows.recorder.Keep(run.evaluator.memory());
    if (run.outside.watch != nullptr) {
      run.outside.watch->NotePassed();
    }
  }
  const bool goes_on = RunEvent(run, runner, beyond, was_sliding);
  if (goes_on) {
    CheckWatches(run);
  } else {
    RecordLeftLimit(run);  // There may be no right one.
  }
  return goes_on;
}

void RecordLeftLimit(RunState& run) {
  if (run.rows.recorder.has_kept() && run.rows.last != run.t) {
    run.rows.recorder.AppendKept(run.t);
    run.rows.last = run.t;
  }
}

void RecordEvent(RunState& run, bool is_noted) {
  run.rows.recorder.Fetch(run.evaluator.memory());
  const bool shows = run.rows.recorder.DiffersFromKept();
  if (shows) {
    RecordLeftLimit(run);
  }
  if (shows || (run.rows.last != run.t && is_noted)) {
    run.rows.recorder.AppendFetched(run.t);
    run.rows.last = run.t;
  }
}

bool FinishEvent(RunState& run, const EventOutcome& outcome) {
  return outcome.is_done() ||
         EndRun(run, ExplainEvent(run.evaluator, run.events, outcome, run.t));
}

}  // namespace orrery::sim::internal
