#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/files/state_number.h"
#include "orrery/base/files/state_stream.h"
#include "orrery/sim/run/program_run.h"
#include "orrery/sim/run/run_rows.h"
#include "orrery/sim/run/run_sliding.h"
#include "orrery/sim/run/run_start.h"
#include "orrery/sim/run/run_ticks.h"

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
