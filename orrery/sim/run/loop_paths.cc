#include "orrery/sim/run/loop_paths.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "orrery/sim/explain/explain_loops.h"
#include "orrery/sim/run/run_events.h"
#include "orrery/sim/run/run_rows.h"
#include "orrery/sim/run/run_sliding.h"
#include "orrery/sim/run/run_values.h"
#include "orrery/sim/run/step_attempt.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::sim::internal {
namespace {

// Distance from the end of a solution that counts as reaching it, in
// tolerances.
constexpr double kNearLoss = 1e-6;
// Solutions of loops that differ by more than this part of their size within a
// step may have jumped: they have, if they still do within this part of it.
constexpr double kFar = 0.1;
constexpr double kPartOfStep = 1.0 / 256;
// A part of the length of a run, or of a state, that may be rounding beside a
// fold.
constexpr double kNearFold = 1e-12;
// Smaller parts of usual sizes are 0: a root changes by 1e-7 within rounding.
constexpr double kSmall = 1e-3;

// A distance in time at `t` that is rounding only. Equations round as much near
// t = 0 as where the run began.
double RoundingAt(const RunState& run, double t) {
  return Rounding(std::max(std::abs(t), std::abs(run.options.start)));
}

// The distance between starting points of loops, in parts of `sizes`.
double Distance(std::span<const double> a,
                std::span<const double> b,
                std::span<const double> sizes) {
  double largest = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    largest = std::max(largest, std::abs(a[k] - b[k]) / sizes[k]);
  }
  return largest;
}

// A piece of a step at whose begin loops held a solution. Loops start from
// `at_held` and `at_lost` at its ends; empty: no solution there.
struct LoopPath {
  double held = 0;
  std::vector<double> at_held;
  double lost = 0;
  std::vector<double> at_lost;
};

// The sizes of what loops start from on the path.
std::vector<double> SizesOf(const RunState& run, const LoopPath& path) {
  std::vector<double> sizes;
  for (const ResidualBlock& block : run.program.blocks) {
    for (const double nominal : block.nominal) {
      const std::size_t k = sizes.size();
      const double at_lost =
          path.at_lost.empty() ? 0.0 : std::abs(path.at_lost[k]);
      sizes.push_back(
          std::max({std::abs(path.at_held[k]), at_lost, kSmall * nominal}));
    }
  }
  return sizes;
}

// True if its ends are so far apart that loops may have jumped between.
bool AreFar(const RunState& run, const LoopPath& path) {
  return Distance(path.at_held, path.at_lost, SizesOf(run, path)) > kFar;
}

// Solves the loops at `t`, for the states in x.
bool LoopsHold(RunState& run, double t) {
  if (ComputeValues(run, t, run.x, ProgramEvaluator::LoopStart::kAccepted)) {
    return false;
  }
  run.evaluator.AcceptLoops(run.program.outputs);
  return true;
}

// True if a nonlinear loop has no solution near the last one.
bool IsLost(const RunState& run, const Failure& failure) {
  return failure.step.kind == ScheduleStep::Kind::kBlock &&
         failure.loop != LoopResult::kTape &&
         !run.program.blocks[failure.step.index].is_linear;
}

void GoToLost(RunState& run, const LoopPath& path) {
  if (!path.at_lost.empty()) {
    run.evaluator.context().loop_starts = path.at_lost;
  }
  run.t = path.lost;
  run.StatesAt(run.t, run.x);
  static_cast<void>(LoopsHold(run, run.t));
}

// Halves the path as long as its ends are apart, to the half in which the loops
// change more, down to `least`. Leaves the loops anywhere on it.
// @param holds_at tells if loops have a solution at a time, and accepts it.
// @returns true if they still are apart. A steep solution is not.
bool NarrowPath(RunState& run,
                LoopPath& path,
                double least,
                const std::function<bool(double)>& holds_at) {
  const std::vector<double> sizes = SizesOf(run, path);
  const auto is_far = [&] {
    return path.at_lost.empty() ||
           Distance(path.at_held, path.at_lost, sizes) > kFar;
  };
  while (path.lost - path.held > least && is_far()) {
    const double middle = path.held + (path.lost - path.held) / 2;
    if (middle == path.held || middle == path.lost) {
      break;
    }
    run.evaluator.context().loop_starts = path.at_held;
    const bool holds = holds_at(middle);
    const std::vector<double>& there = run.evaluator.context().loop_starts;
    if (holds &&
        (path.at_lost.empty() || Distance(there, path.at_held, sizes) <=
                                     Distance(there, path.at_lost, sizes))) {
      path.held = middle;
      path.at_held = there;
    } else {
      path.lost = middle;
      path.at_lost = holds ? there : std::vector<double>();
    }
  }
  return is_far();
}

// The loop, of those that hold between events, whose solution in memory is not
// near the accepted one.
std::optional<std::size_t> FindLoopThatLeft(RunState& run) {
  for (const Schedule* schedule :
       {&run.program.derivatives, &run.program.outputs}) {
    for (const ScheduleStep& step : *schedule) {
      if (step.kind == ScheduleStep::Kind::kBlock &&
          run.evaluator.loop(step.index).HasLeft(run.evaluator.context())) {
        return step.index;
      }
    }
  }
  return std::nullopt;
}

// Leaves that solution in memory.
// @returns the index of the loop.
std::optional<std::size_t> ReachOtherSolution(RunState& run,
                                              double t,
                                              std::span<const double> x) {
  if (WritePoint(run, t, x)) {
    return std::nullopt;
  }
  const auto failure =
      RunSchedules(run, ProgramEvaluator::LoopStart::kAccepted);
  if (!failure) {
    return FindLoopThatLeft(run);
  }
  if (!IsLost(run, *failure)) {
    return std::nullopt;
  }
  const std::size_t loop = failure->step.index;
  return run.evaluator.loop(loop).SolveElsewhere(run.evaluator.context()) &&
                 !ComputeValues(
                     run, t, x, ProgramEvaluator::LoopStart::kAccepted)
             ? std::optional(loop)
             : std::nullopt;
}

// True if a loop whose solution has ended has another one. Changes nothing.
bool HasOtherSolution(RunState& run, double t, std::span<const double> x) {
  const Context before = run.evaluator.context();
  const bool has = ReachOtherSolution(run, t, x).has_value();
  run.evaluator.Restore(before);
  return has;
}

// Carries out an event in which a loop takes the solution that was found.
// Within rounding of a fold the last values may be those of the row before.
bool TakeOtherSolution(RunState& run, double t, const std::vector<double>& x) {
  if (run.rows.last != run.t &&
      !ComputeValues(
          run, run.t, run.x, ProgramEvaluator::LoopStart::kAccepted)) {
    run.rows.recorder.Append(run.t, run.evaluator.memory());
    run.rows.last = run.t;
  }
  if (const auto loop = ReachOtherSolution(run, t, x)) {
    run.events.NoteJump(NameOfLoop(run.program.blocks[*loop]), t);
  }
  run.evaluator.AcceptLoops();
  run.t = t;
  run.x = x;
  run.needs_restart = true;
  run.loops.has_lost_solution = true;
  const bool goes_on = HandleEvent(run);
  run.loops.has_lost_solution = false;
  if (run.options.stop - t > Rounding(t)) {  // Else the end may have a row.
    run.rows.grid.SkipTo(t);
  }
  return goes_on && WatchPace(run);
}

// Goes to the end of the path at which loops hold a solution. Beside a fold it
// is for rounding to say whether one is found: goes back until it is found
// again.
void GoToHeld(RunState& run, const LoopPath& path, const LoopPath& whole) {
  double back = 0;
  while (path.held - back > whole.held) {
    run.evaluator.context().loop_starts = path.at_held;
    run.t = path.held - back;
    run.StatesAt(run.t, run.x);
    if (LoopsHold(run, run.t)) {
      return;
    }
    back = std::max({2 * back,
                     RoundingAt(run, path.held),
                     std::numeric_limits<double>::min()});
  }
  run.evaluator.context().loop_starts = whole.at_held;
  run.t = whole.held;
  run.StatesAt(run.t, run.x);
}

// Finds where loops have left their solution, if they have.
bool PassJump(RunState& run, const LoopPath& whole) {
  LoopPath path = whole;
  const auto holds_at = [&run](double t) {
    run.StatesAt(t, run.x);
    return LoopsHold(run, t);
  };
  if (!NarrowPath(run, path, RoundingAt(run, path.lost), holds_at)) {
    GoToLost(run, whole);
    return true;
  }
  GoToHeld(run, path, whole);
  if (!EmitRows(run, whole.lost)) {
    return false;
  }
  std::vector<double> beyond(run.x.size());
  run.StatesAt(path.lost, beyond);
  if (HasOtherSolution(run, path.lost, beyond)) {
    return TakeOtherSolution(run, path.lost, beyond);
  }
  GoToLost(run, whole);
  return true;
}

// True if t and `t`, where the states are x, differ by as good as nothing.
bool IsAlmostAt(const RunState& run, double t, std::span<const double> x) {
  if (t - run.t <= 2 * RoundingAt(run, run.t)) {
    return true;
  }
  for (std::size_t i = 0; i < run.states().size(); ++i) {
    const double allowed =
        kNearLoss * run.ToleranceOf(i) + kNearFold * std::abs(run.x[i]);
    if (!(std::abs(x[i] - run.x[i]) <= allowed)) {
      return false;
    }
  }
  return t - run.t <= kNearFold * (run.options.stop - run.options.start);
}

// The next step ends half way to `t`, at the latest.
void HalveStep(RunState& run, double t) {
  run.needs_restart = true;
  run.barrier = run.t + (t - run.t) / 2;
}

}  // namespace

void BeginLoopPath(RunState& run) {
  if (run.plan.integrates_loops || run.plan.follows_loops) {
    run.loops.at_begin = run.evaluator.context().loop_starts;
    run.loops.begin = run.t;
    run.loops.at_end.clear();
  }
}

bool KeepLoops(RunState& run, double reached) {
  if (run.is_sliding()) {
    return true;
  }
  std::vector<double>& starts = run.evaluator.context().loop_starts;
  std::vector<double> x(run.x.size());
  // The method has solved them to its tolerance with the states. At a kink it
  // may take what is far from solving them for a solution.
  const bool is_known = run.plan.leaves_loops_open &&
                        !run.plan.has_kinked_loops && run.barrier == kNever;
  const auto holds_at = [&](double t) {
    run.StatesAt(t, x);
    const bool is_there = run.ode.is_evaluated() && run.evaluator.t() == t;
    if (!is_there && run.ode.Evaluate(t, x)) {
      return false;
    }
    run.evaluator.AcceptLoops(run.program.derivatives);
    return true;
  };
  LoopPath path{.held = run.t,
                .at_held = run.loops.at_begin,
                .lost = reached,
                .at_lost = {}};
  const bool holds = is_known || holds_at(reached);
  bool keeps = false;
  if (holds) {
    path.at_lost = starts;
    LoopPath part = path;
    keeps = !AreFar(run, path) ||
            !NarrowPath(run, part, kPartOfStep * (reached - run.t), holds_at);
  }
  starts = path.at_held;
  run.StatesAt(reached, x);
  keeps = keeps ||
          (run.events.has_relations() && HasChangedAt(run, reached, x)) ||
          (holds && !HasOtherSolution(run, reached, x));
  if (keeps) {
    run.loops.at_end = path.at_lost;
  }
  return keeps;
}

bool RetakeForLoops(RunState& run, double reached) {
  std::vector<double> x(run.x.size());
  run.StatesAt(reached, x);
  if (PassLostSolution(run, reached, x)) {
    return true;
  }
  if (!IsAlmostAt(run, reached, x)) {
    HalveStep(run, reached);
    return true;
  }
  if (!ComputeOrEnd(run, reached, x, ProgramEvaluator::LoopStart::kAccepted)) {
    RecordLast(run);
    return false;
  }
  run.evaluator.AcceptLoops();
  run.t = reached;
  run.x = x;
  run.needs_restart = true;
  return true;
}

bool FollowLoops(RunState& run, double before) {
  if (!run.plan.follows_loops) {
    return true;
  }
  LoopPath path{.held = before,
                .at_held = run.evaluator.context().loop_starts,
                .lost = run.t,
                .at_lost = {}};
  if (LoopsHold(run, run.t)) {
    path.at_lost = run.evaluator.context().loop_starts;
    return !AreFar(run, path) || PassJump(run, path);
  }
  // Other failures are reported when the values are needed.
  const auto failure =
      RunSchedules(run, ProgramEvaluator::LoopStart::kAccepted);
  return !failure || !IsLost(run, *failure) || PassJump(run, path);
}

bool PassLostSolution(RunState& run, double t, const std::vector<double>& x) {
  if (!HasOtherSolution(run, t, x)) {
    return false;
  }
  run.ode.ForgetFailure();
  const bool is_stuck = run.barrier == run.t + (t - run.t) / 2;
  if (!IsAlmostAt(run, t, x) && !is_stuck) {
    HalveStep(run, t);
    return true;
  }
  run.barrier = kNever;
  return TakeOtherSolution(run, std::max(t, run.t), x);
}

}  // namespace orrery::sim::internal
