#include "orrery/sim/run/program_run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "orrery/sim/run/external_changes.h"
#include "orrery/sim/run/run_constraints.h"
#include "orrery/sim/run/run_end.h"
#include "orrery/sim/run/run_events.h"
#include "orrery/sim/run/run_rows.h"
#include "orrery/sim/run/run_start.h"
#include "orrery/sim/run/run_step.h"
#include "orrery/sim/run/run_ticks.h"
#include "orrery/sim/run/run_values.h"

namespace orrery::sim::internal {

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

}  // namespace orrery::sim::internal
