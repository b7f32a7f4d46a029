#include "orrery/sim/run/run_sliding.h"

#include <cmath>
#include <memory>

#include "orrery/sim/events/explain_events.h"
#include "orrery/sim/run/run_end.h"
#include "orrery/sim/run/run_events.h"
#include "orrery/sim/run/run_values.h"

namespace orrery::sim::internal {
namespace {

// Number of events at one time that are more than the result of moving aside.
constexpr int kManyAtOnce = 3;
// Relative to the time: later events have nothing to do with a Zeno point.
constexpr double kLongAfter = 1e-6;
// Greatest distance of a state at rest from where it came to rest.
constexpr double kRestTolerance = 1e-3;

SlidingMotion& SlidingOf(RunState& run) {
  if (run.sliding.motion == nullptr) {
    const SolverOptions& solver = run.plan.solver;
    run.sliding.motion = std::make_unique<SlidingMotion>(
        run.evaluator,
        run.inputs,
        run.ode,
        run.events,
        SlidingMotion::Accuracy{
            .relative = solver.relative_tolerance,
            .absolute = AbsoluteTolerances(solver, run.states().size())});
    const Method method = run.options.method == Method::kTaylor
                              ? Method::kDormandPrince8  // It has no series.
                              : run.options.method;
    run.sliding.integrator =
        MakeIntegrator(method, *run.sliding.motion, solver);
    // The begin of the grid of a fixed step.
    run.sliding.integrator->Restart(run.options.start, run.states());
  }
  return *run.sliding.motion;
}

}  // namespace

void PrepareSliding(RunState& run) {
  static_cast<void>(SlidingOf(run));
}

bool WatchPace(RunState& run) {
  using Finding = SlidingMotion::Finding;
  const auto pace_failure = run.pace.Add(run.t);
  using Pace = EventSpacing;
  const bool is_at_once =
      run.has_relation_changed && run.pace.consecutive() > 0;
  if (run.events.GiveUpChatteringKinks(pace_failure ? Pace::kWithoutEnd
                                       : is_at_once ? Pace::kAtOnce
                                                    : Pace::kLater)) {
    run.evaluator.NoteHeldChange();
    run.needs_restart = true;
    return true;
  }
  // Code of others cannot be asked what would happen on either side.
  if (run.pace.IsCheckDue() && run.integrator != nullptr && !run.is_sliding() &&
      run.program.foreign.empty()) {
    const Finding finding = SlidingOf(run).Find(run.t, run.states());
    if (finding == Finding::kOpposed && !run.plan.slides) {
      return EndRun(
          run, ExplainOpposed(run.program, SlidingOf(run).relations(), run.t));
    }
    if (finding == Finding::kSeveral && run.plan.slides) {
      return EndRun(
          run,
          ExplainTwoSurfaces(run.program, SlidingOf(run).relations(), run.t));
    }
  }
  if (run.has_relation_changed) {
    run.events.CalmChattering();
  }
  if (run.zeno && run.t - run.zeno->limit > kLongAfter * std::abs(run.t)) {
    run.zeno.reset();  // It came to rest.
  }
  if (pace_failure && pace_failure->is_zeno) {
    if (!run.zeno) {
      run.zeno = {
          .limit = pace_failure->limit,
          .why = ExplainPace(run.evaluator, run.events, *pace_failure, run.t)};
    }
    return true;
  }
  return !pace_failure ||
         EndRun(run,
                run.zeno
                    ? run.zeno->why
                    : ExplainPace(
                          run.evaluator, run.events, *pace_failure, run.t));
}

bool KeepsRest(RunState& run) {
  const bool is_asked =
      run.zeno && !run.needs_restart && run.t > run.zeno->limit;
  if (!is_asked ||
      ComputeValues(
          run, run.t, run.x, ProgramEvaluator::LoopStart::kAccepted)) {
    return true;
  }
  const double allowed = kRestTolerance * run.options.absolute_tolerance;
  return !run.events.AreApart(allowed) || EndRun(run, run.zeno->why);
}

bool ResumeSliding(RunState& run,
                   const EventOutcome& outcome,
                   bool was_sliding) {
  run.needs_restart = run.needs_restart || was_sliding;
  const bool may_begin =
      run.plan.slides && outcome.has_changed && run.integrator != nullptr;
  if (was_sliding ? run.sliding.motion->has_exit() : !may_begin) {
    return true;
  }
  const auto finding = was_sliding ? run.sliding.motion->FindAgain(run.t, run.x)
                                   : SlidingOf(run).Find(run.t, run.x);
  if (finding != SlidingMotion::Finding::kOpposed) {
    return true;
  }
  // The first time may be due to moving aside.
  if (was_sliding && outcome.has_changed &&
      run.pace.consecutive() >= kManyAtOnce &&
      run.sliding.motion->MeetsSecondSurface()) {
    return EndRun(run,
                  ExplainTwoSurfaces(
                      run.program, run.sliding.motion->relations(), run.t));
  }
  if (!run.sliding.motion->is_aside()) {
    run.sliding.motion->MoveAside(run.t, run.x);
    run.evaluator.SetStates(run.x);
    const EventOutcome aside = run.events.Run(run.t);
    run.evaluator.NoteHeldChange();
    run.evaluator.GetStates(run.x);
    if (!FinishEvent(run, aside) ||
        run.sliding.motion->FindAgain(run.t, run.x) !=
            SlidingMotion::Finding::kOpposed) {
      return !run.has_ended();
    }
  }
  run.sliding.motion->Begin();
  run.needs_restart = true;
  return true;
}

bool CorrectSliding(RunState& run) {
  const SlidingMotion::Correction correction =
      run.sliding.motion->Correct(run.t, run.x);
  if (!correction.is_single) {
    return EndRun(run,
                  ExplainTwoSurfaces(
                      run.program, run.sliding.motion->relations(), run.t));
  }
  run.needs_restart = correction.is_due;
  return true;
}

}  // namespace orrery::sim::internal
