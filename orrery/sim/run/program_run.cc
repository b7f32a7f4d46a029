#include "orrery/sim/run/program_run.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/files/state_number.h"
#include "orrery/base/files/state_stream.h"
#include "orrery/sim/run/external_changes.h"
#include "orrery/sim/run/run_constraints.h"
#include "orrery/sim/run/run_end.h"
#include "orrery/sim/run/run_events.h"
#include "orrery/sim/run/run_rows.h"
#include "orrery/sim/run/run_sliding.h"
#include "orrery/sim/run/run_start.h"
#include "orrery/sim/run/run_step.h"
#include "orrery/sim/run/run_ticks.h"
#include "orrery/sim/run/run_values.h"

namespace orrery::sim::internal {
namespace {

// Why a run cannot be saved; empty if it can.
std::string WhyNotSaved(const RunState& run) {
  if (!run.program.foreign.empty()) {
    return "an FMU that is a part of it keeps its values for itself";
  }
  if (run.sensitivities != nullptr) {
    return "it follows sensitivities; leave those out";
  }
  if (run.plan.is_driven || run.outside.watch != nullptr) {
    return "other engines take part in it";
  }
  if (run.rows.refinement.AreFollowed()) {
    return "its rows follow signals; leave that out";
  }
  return {};
}

void TransferLoops(RunState& run, StateStream& stream) {
  const std::size_t size = run.evaluator.context().loop_starts.size();
  stream.AllOrNone(run.loops.at_begin, size);
  stream.Number(run.loops.begin);
  stream.AllOrNone(run.loops.at_end, size);
  stream.Truth(run.loops.has_lost_solution);
}

void TransferZeno(RunState& run, StateStream& stream) {
  if (!stream.Has(run.zeno)) {
    return;
  }
  stream.Number(run.zeno->limit);
  stream.Choice(run.zeno->why.outcome, RunOutcome::kModelFailed);
  stream.Text(run.zeno->why.message);
  stream.Text(run.zeno->why.outside);
}

// @returns false if the integration has to begin anew.
bool TransferIntegrators(RunState& run, StateStream& stream) {
  const bool is_whole =
      run.integrator == nullptr || run.integrator->Transfer(stream);
  bool slides = run.sliding.motion != nullptr;
  stream.Truth(slides);
  stream.Expect(!slides || (run.plan.slides && run.integrator != nullptr &&
                            run.events.has_relations()),
                "a sliding motion");
  if (stream.reads()) {
    run.sliding = {};
  }
  if (slides) {
    PrepareSliding(run);
    static_cast<void>(run.sliding.integrator->Transfer(stream));
  }
  return is_whole;
}

// @returns false if the integration has to begin anew.
bool Transfer(RunState& run, StateStream& stream) {
  for (double* const number :
       {&run.t, &run.resumed, &run.quiet_until, &run.barrier}) {
    stream.Number(*number);
  }
  constexpr double kMostRows = 0x1p50;
  stream.Expect(
      run.t >= run.options.start &&
          run.t - run.options.start <=
              kMostRows * std::max(run.options.interval, run.options.max_step),
      "a time outside");
  stream.Same(run.x);
  for (const double value : run.x) {
    stream.Expect(std::isfinite(value), "a value that is not finite");
  }
  for (bool* const truth : {&run.needs_restart,
                            &run.has_relation_changed,
                            &run.is_settled,
                            &run.outside.is_due}) {
    stream.Truth(*truth);
  }
  TransferCount(stream, run.num_cut);
  run.settings.Transfer(stream, run.inputs);
  run.inputs.Transfer(stream);
  run.evaluator.Transfer(stream);
  run.events.Transfer(stream);
  run.pace.Transfer(stream);
  TransferZeno(run, stream);
  run.ode.Transfer(stream);
  TransferLoops(run, stream);
  if (run.constraints.projection != nullptr) {
    run.constraints.projection->Transfer(stream);
  }
  return TransferIntegrators(run, stream);
}

// Time goes on from there, but for what rounding makes.
void CheckTimes(RunState& run, const StateStream& stream) {
  const double rounding = 1e-9 * std::max(1.0, std::abs(run.t));
  const bool is_within_step = run.integrator == nullptr || run.needs_restart ||
                              run.integrator->t() >= run.t - rounding;
  stream.Expect(is_within_step, "a solver that is elsewhere");
  stream.Expect(run.barrier > run.t && run.resumed <= run.t + rounding,
                "times that are not in order");
  stream.Expect(run.NextChange() >= run.t - rounding,
                "an event that was missed");
}

}  // namespace

ProgramRun::ProgramRun(const RunPlan& plan, std::span<const Setting> settings)
    : state_(plan, settings) {
  PrepareConstraints(state_);
  ResetRun(state_);
}

bool ProgramRun::Renew(std::span<const Setting> settings) {
  const bool is_plain =
      state_.events.is_empty() && state_.sensitivities == nullptr &&
      state_.constraints.projection == nullptr &&
      state_.outside.watch == nullptr && state_.inputs.driven().empty();
  if (!is_plain || !state_.evaluator.Renew() ||
      (state_.integrator != nullptr && !state_.integrator->Renew())) {
    return false;
  }
  if (state_.inputs.Move()) {
    state_.inputs = state_.plan.inputs;
  }
  state_.settings.Renew(settings, state_.plan.set, state_.inputs);
  state_.ode.ForgetFailure();
  state_.rows.grid = state_.plan.grid;
  state_.step_ends = state_.plan.step_ends;
  state_.rows.refinement = state_.plan.refinement;
  state_.rows.num_final = 0;
  ResetRun(state_);
  return true;
}

void ProgramRun::Start() {
  StartRun(state_);
}

bool ProgramRun::Step(double limit) {
  if (state_.has_ended() || state_.t >= limit) {
    return false;
  }
  const double tick = state_.events.next_time();
  if (state_.has_only_ticks && state_.outside.watch == nullptr &&
      tick <= limit && tick <= state_.rows.grid.next()) {
    PassTick(state_);
  } else {
    AdvanceTo(state_, limit, limit);
  }
  if (state_.has_ended() || state_.t < limit) {
    return !state_.has_ended();
  }
  sim::internal::RecordNow(state_);
  return false;
}

std::optional<StepPlan> ProgramRun::PlanStep(double limit) {
  return sim::internal::PlanStep(state_, limit);
}

bool ProgramRun::RecordNow() {
  return sim::internal::RecordNow(state_);
}

// A run that the model terminates has come to a good end, too.
void ProgramRun::Terminate() {
  const bool is_good =
      !state_.has_ended() || state_.summary.outcome == RunOutcome::kTerminated;
  if (is_good && !state_.events.is_empty()) {
    HandleEvent(state_, &EventEngine::RunTerminal);
  }
}

void ProgramRun::Interrupt() {
  EndRun(state_, {.outcome = RunOutcome::kInterrupted, .message = {}});
  RecordLast(state_);
}

RunResult ProgramRun::Finish() {
  Terminate();
  if (NativeCode* const native = state_.evaluator.sections().native();
      native != nullptr && state_.integrator != nullptr) {
    native->AddEvaluations(static_cast<std::uint64_t>(
        state_.integrator->statistics().rhs_evaluations));
  }
  Trajectory trajectory = TakeRecorded();
  Summary summary = sim::internal::MakeSummary(state_, trajectory);
  return {.trajectory = std::move(trajectory),
          .events = TakeEvents(),
          .summary = std::move(summary)};
}

Summary ProgramRun::MakeSummary(const Trajectory& trajectory) const {
  return sim::internal::MakeSummary(state_, trajectory);
}

QuantityWatch& ProgramRun::watch() {
  if (state_.outside.watch == nullptr) {
    state_.outside.watch = std::make_unique<QuantityWatch>(
        state_.evaluator, state_.inputs, [this] {
          static_cast<void>(
              RunSchedules(state_, ProgramEvaluator::LoopStart::kAccepted));
        });
  }
  return *state_.outside.watch;
}

bool ProgramRun::Advance(double limit, double foreseeable) {
  limit = std::min(limit, state_.outside.stop);
  if (state_.has_ended() || state_.t >= limit) {
    return false;
  }
  state_.outside.leave_from = limit;
  const bool goes_on = AdvanceTo(state_, limit, foreseeable);
  state_.outside.leave_from = kNever;
  return goes_on;
}

bool ProgramRun::Settle() {
  return state_.is_settled ||
         ComputeOrEnd(state_,
                      state_.t,
                      state_.x,
                      ProgramEvaluator::LoopStart::kAccepted);
}

bool ProgramRun::Change(
    std::span<const std::pair<std::size_t, double>> states) {
  return RunChange(state_, states);
}

bool ProgramRun::Set(std::span<const Setting> settings) {
  return SetValues(state_, settings);
}

// Saving and restoring -------------------------------------------------------

void ProgramRun::Save(StateStream& stream) {
  RunState& run = state_;
  if (run.has_ended()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot save the state of a run that has ended");
  }
  std::string why = WhyNotSaved(run);
  if (why.empty() && run.is_sliding()) {
    why =
        "it slides along a switching surface there; save it where it does not";
  }
  if (!why.empty()) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("cannot save the state of {} at t = {:.6g} s: {}",
                            run.program.name,
                            run.t,
                            why));
  }
  static_cast<void>(Transfer(run, stream));
}

void ProgramRun::Restore(StateStream& stream) {
  RunState& run = state_;
  if (const std::string why = WhyNotSaved(run); !why.empty()) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("cannot continue {} from a saved state: {}",
                            run.program.name,
                            why));
  }
  ResetRun(run);
  run.rows.recorder.Clear();
  run.rows.num_final = 0;
  run.rows.grid = run.plan.grid;
  run.step_ends = run.plan.step_ends;
  if (!Transfer(run, stream)) {
    run.needs_restart = true;
    run.integrator->Restart(run.t, run.x);
  }
  stream.Expect(stream.rest().empty(), "more at its end");
  CheckTimes(run, stream);
  run.summary.start = run.t;
  run.rows.grid.SkipTo(run.t);
  PrepareTicks(run);
  if (run.is_settled) {
    run.rows.recorder.Append(run.t, run.evaluator.memory());
    run.rows.last = run.t;
  } else if (RecordHere(run, ProgramEvaluator::LoopStart::kAccepted)) {
    run.is_settled = false;
  }
}

}  // namespace orrery::sim::internal
