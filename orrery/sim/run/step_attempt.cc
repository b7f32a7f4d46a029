#include "orrery/sim/run/step_attempt.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orrery/sim/run/loop_paths.h"
#include "orrery/sim/run/run_events.h"
#include "orrery/sim/run/run_sliding.h"
#include "orrery/sim/run/run_values.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::sim::internal {
namespace {

// Relative to the length of a step: kinks so near its ends do not matter.
constexpr double kNearEnd = 1e-9;
// Greatest step of first order, relative to the time between two events.
constexpr double kPartOfWay = 0.25;
constexpr int kMostTaken = 20;  // Steps in place of one.
constexpr int kMostCut = 50;    // Those at whose ends nothing changed.

// Distances from an event, in tolerances: one that counts as reaching it, and
// one that does so if no time is left between.
constexpr double kNear = 1e-6;
constexpr double kAlmost = 1e-3;

// Part of the run ahead of a step that failed in which the end of a loop's
// solution is looked for.
constexpr double kAhead = 1e-6;
// Part of this way at which the search begins, if rounding allows.
constexpr double kNearest = 1e-9;

// Where the solution of a loop ends, methods that solve loops together with the
// states tell only that they do not converge. Looks for such an end just ahead,
// and leaves it as a failure of the equations.
void FindLossAhead(RunState& run) {
  if (!run.plan.leaves_loops_open || !run.plan.integrates_loops) {
    return;
  }
  const std::size_t n = run.states().size();
  std::vector<double> dx(n);
  std::vector<double> unused(n);
  std::vector<double> x(n);
  if (run.ode.DerivativeInMemory(run.t, run.states(), dx) != Evaluation::kOk) {
    return;
  }
  const double farthest = kAhead * (run.options.stop - run.options.start);
  double ahead = std::max(2 * Rounding(run.t), kNearest * farthest);
  while (ahead <= farthest) {
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = run.x[i] + ahead * dx[i];
    }
    if (run.ode.DerivativeInMemory(run.t + ahead, x, unused) !=
        Evaluation::kOk) {
      return;
    }
    ahead *= 2;
  }
}

// Takes a step with an event at `change` back if it is wrong: if it is of first
// order and as long as the time between two events, or if a kink of the
// derivatives is within it.
// @returns the time at which it should end; none if it stays.
std::optional<double> TakeBackFor(RunState& run, double change) {
  const double reached = run.active_integrator()->t();
  const double length = reached - run.t;
  const double apart = change - run.resumed;
  const double part = kPartOfWay / 2 * apart;
  if (run.active_integrator()->begins_at_first_order() &&
      length > kPartOfWay * apart && part > Rounding(reached)) {
    if (!run.active_integrator()->TakeBack()) {
      run.active_integrator()->Restart(run.t, run.x);
    }
    return run.t + part;
  }
  if (!run.plan.has_kinks) {
    return std::nullopt;
  }
  // A kink makes the step wrong from its begin: earlier changes may be none.
  const auto is_within = [&](double t) {
    return std::min(t - run.t, reached - t) >
           std::max(kNearEnd * length, Rounding(reached));
  };
  const auto kink_behind = [&](double t, double otherwise) {
    const double kink = run.events.ForeseeKink(run.dense(), run.t, reached, t);
    return kink < kNever ? kink : otherwise;
  };
  double kink = kink_behind(run.t, change);
  if (!is_within(kink)) {
    kink = kink_behind(kink, kink);
  }
  // Changes by rounding may vanish in the shorter step, again and again.
  if (!is_within(kink) || run.num_cut >= kMostCut) {
    return std::nullopt;
  }
  if (!run.active_integrator()->TakeBack()) {
    if (kink == change) {
      return std::nullopt;
    }
    run.active_integrator()->Restart(run.t, run.x);
  }
  ++run.num_cut;
  return kink;
}

// True if `x` is less than a part of the tolerance away.
bool IsNear(const RunState& run, std::span<const double> x, double part) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(std::abs(x[i] - run.x[i]) <= part * run.ToleranceOf(i))) {
      return false;
    }
  }
  return true;
}

}  // namespace

void BeginPiece(RunState& run) {
  if (run.needs_restart && run.integrator != nullptr) {
    run.active_integrator()->Restart(run.t, run.x);
    run.resumed = run.t;
  }
  run.needs_restart = false;
}

double StepLimit(RunState& run, double change, double limit) {
  run.step_ends.SkipTo(run.t);
  const double node = std::min(run.inputs.NextNode(run.t + Rounding(run.t)),
                               run.step_ends.next());
  const double smooth = std::min(change, limit);
  return std::min({smooth - node > Rounding(smooth) ? node : smooth,
                   run.barrier,
                   run.evaluator.delays().StepLimit(run.t, run.inputs)});
}

double NextObservation(const RunState& run, double end) {
  const bool is_seen =
      run.events.has_relations() || run.outside.watch != nullptr ||
      run.is_sliding() || run.sensitivities != nullptr ||
      run.constraints.projection != nullptr || !run.program.delays.empty() ||
      !run.program.blocks.empty() || !run.program.events.step_slots.empty();
  if (is_seen) {
    return run.t;
  }
  return run.HasRowAStep() ? std::nextafter(run.t, end)
                           : std::min(run.rows.grid.next(), end);
}

StepResult TakeStep(RunState& run, double limit, double end) {
  if (run.active_integrator()->t() > run.t) {
    return {};
  }
  StepResult result =
      run.active_integrator()->StepUntil(NextObservation(run, end), limit);
  if (!result.stepped() && run.active_integrator()->t() > run.t) {
    run.t = run.active_integrator()->t();
    run.StatesAt(run.t, run.x);
  }
  if (!result.stepped() && limit > end) {
    run.ode.ForgetFailure();  // It may be otherwise beyond the end.
    run.active_integrator()->Restart(run.t, run.x);
    result = run.active_integrator()->Step(std::min(limit, end));
  }
  if (result.stepped()) {
    run.ode.ForgetFailure();
  }
  return result;
}

StepResult EndAtEvents(RunState& run, StepResult result) {
  run.quiet_until = run.t;
  const bool may_be_wrong =
      run.plan.has_kinks || run.active_integrator()->begins_at_first_order();
  if (!may_be_wrong || !run.events.has_acting() || run.is_sliding() ||
      run.active_integrator()->t_begin() != run.t) {
    return result;
  }
  // Sampling all relations would not pay.
  const bool kinks_only = !run.active_integrator()->begins_at_first_order() &&
                          !run.events.has_bounds();
  for (int k = 0; k < kMostTaken && result.stepped(); ++k) {
    const double change = run.events.Foresee(
        run.dense(), run.t, run.active_integrator()->t(), kinks_only);
    const auto end = change < kNever ? TakeBackFor(run, change) : std::nullopt;
    if (!end) {
      if (change == kNever && run.events.all_act() && !kinks_only &&
          !run.events.has_rearmed()) {
        run.quiet_until = run.active_integrator()->t();
      }
      break;
    }
    result = run.active_integrator()->Step(*end);
  }
  return result;
}

bool PassFailure(RunState& run) {
  if (run.is_sliding() || !run.evaluator.goes_on()) {
    return false;
  }
  if (!run.ode.has_failed()) {
    FindLossAhead(run);
  }
  if (!run.ode.has_failed()) {
    return false;
  }
  const double t = run.ode.failed_t();
  const std::vector<double> x(run.ode.failed_x().begin(),
                              run.ode.failed_x().end());
  const double half = run.t + (t - run.t) / 2;
  const bool is_short = half - run.t <= Rounding(run.t);
  if (!run.events.has_relations() || !HasChangedAt(run, t, x) ||
      (is_short && !IsNear(run, x, kAlmost))) {
    return PassLostSolution(run, t, x);
  }
  run.ode.ForgetFailure();
  run.needs_restart = true;
  run.barrier = kNever;
  if (is_short) {
    run.t = std::max(t, run.t);
  } else if (!IsNear(run, x, kNear) || !HasChangedAt(run, run.t, x)) {
    run.barrier = half;
    return true;
  }
  return HandleEvent(run, &EventEngine::Run, x) && WatchPace(run);
}

bool HasChangedAt(RunState& run, double t, std::span<const double> x) {
  return !WritePoint(run, t, x) && run.events.HasRelationChanged();
}

}  // namespace orrery::sim::internal
