// Follows the solutions of algebraic loops from step to step. Where a solution
// ends, the run goes on with another one.

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "orrery/sim/explain/explain_loops.h"
#include "orrery/sim/run/simulation_run.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::internal {
namespace {

// Distance from the end of a solution that counts as reaching it, in
// tolerances.
constexpr double kNear = 1e-6;
// Solutions of loops that differ by more than this part of their size within a
// step may have jumped. They have if they are not between the two half way.
constexpr double kFar = 0.1;
constexpr double kHalfWay = 0.75;
// Smaller parts of usual sizes are 0: a root changes by 1e-7 within rounding.
constexpr double kSmall = 1e-3;

// The distance of starting points of loops, relative to their size.
double Distance(const Program& program,
                std::span<const double> a,
                std::span<const double> b) {
  double largest = 0;
  std::size_t k = 0;
  for (const ResidualBlock& block : program.blocks) {
    for (const double nominal : block.nominal) {
      const double size =
          std::max({std::abs(a[k]), std::abs(b[k]), kSmall * nominal});
      largest = std::max(largest, std::abs(a[k] - b[k]) / size);
      ++k;
    }
  }
  return largest;
}

}  // namespace

// Solves loops that no derivative depends on at each step, too. Else their
// starting points would depend on who looks at them.
// @param before begin of the step.
bool SimulationRun::FollowLoops(double before) {
  if (!plan_.follows_loops) {
    return true;
  }
  LoopPath path{.held = before,
                .at_held = machine_.context().loop_starts,
                .lost = t_,
                .at_lost = {}};
  if (LoopsHold(t_)) {
    path.at_lost = machine_.context().loop_starts;
    return IsSmooth(path) || PassJump(path);
  }
  // Other failures are reported when the values are needed.
  const auto failure = RunAll(LoopStart::kAccepted);
  return !failure || !IsLost(*failure) || PassJump(path);
}

// Solves the loops at `t`, for the states in x_.
bool SimulationRun::LoopsHold(double t) {
  if (Compute(t, x_, LoopStart::kAccepted)) {
    return false;
  }
  machine_.AcceptLoops(program_.outputs);
  return true;
}

// True if a nonlinear loop could be followed so far and has no solution near
// the last one.
bool SimulationRun::IsLost(const Failure& failure) const {
  return failure.step.kind == ScheduleStep::Kind::kBlock &&
         failure.loop != LoopResult::kTape &&
         !program_.blocks[failure.step.index].is_linear &&
         machine_.loop(failure.step.index).was_followed();
}

// Leaves the loops at the end of the path.
bool SimulationRun::IsSmooth(const LoopPath& path) {
  if (Distance(program_, path.at_held, path.at_lost) <= kFar) {
    return true;
  }
  const double middle = path.held + (path.lost - path.held) / 2;
  machine_.context().loop_starts = path.at_held;
  StatesAt(middle, x_);
  const bool holds = LoopsHold(middle);
  const std::vector<double>& there = machine_.context().loop_starts;
  const double first = Distance(program_, path.at_held, there);
  const double second = Distance(program_, there, path.at_lost);
  GoToEnd(path);
  return holds && std::max(first, second) <= kHalfWay * (first + second);
}

void SimulationRun::GoToEnd(const LoopPath& path) {
  if (!path.at_lost.empty()) {
    machine_.context().loop_starts = path.at_lost;
  }
  t_ = path.lost;
  StatesAt(t_, x_);
  static_cast<void>(LoopsHold(t_));
}

// Searches for the point at which loops have left their solution. A steep
// solution has not been left.
bool SimulationRun::PassJump(const LoopPath& whole) {
  LoopPath path = whole;
  const auto is_far = [&] {
    return path.at_lost.empty() ||
           Distance(program_, path.at_held, path.at_lost) > kFar;
  };
  while (path.lost - path.held > Rounding(path.lost) && is_far()) {
    const double middle = path.held + (path.lost - path.held) / 2;
    machine_.context().loop_starts = path.at_held;
    StatesAt(middle, x_);
    const bool holds = LoopsHold(middle);
    const std::vector<double>& there = machine_.context().loop_starts;
    if (holds &&
        (path.at_lost.empty() || Distance(program_, there, path.at_held) <=
                                     Distance(program_, there, path.at_lost))) {
      path.held = middle;
      path.at_held = there;
    } else {
      path.lost = middle;
      path.at_lost = holds ? there : std::vector<double>();
    }
  }
  if (!is_far()) {
    GoToEnd(whole);
    return true;
  }
  machine_.context().loop_starts = path.at_held;
  t_ = path.held;
  StatesAt(t_, x_);
  if (!EmitRows(whole.lost)) {
    return false;
  }
  std::vector<double> beyond(x_.size());
  StatesAt(path.lost, beyond);
  if (HasOtherSolution(path.lost, beyond)) {
    return TakeOtherSolution(path.lost, beyond);
  }
  GoToEnd(whole);
  return true;
}

// Passes the end of a loop's solution, which ends a step: the way there is
// halved until the end is as good as reached.
// @param t time of the failure, for the states x.
bool SimulationRun::PassLostSolution(double t, const std::vector<double>& x) {
  const bool is_near = t - t_ <= 2 * Rounding(t_) || IsNear(x, kNear);
  if (!HasOtherSolution(t, x)) {
    return false;
  }
  ode_.ForgetFailure();
  if (!is_near) {
    needs_restart_ = true;
    barrier_ = t_ + (t - t_) / 2;
    return true;
  }
  barrier_ = kNever;
  return TakeOtherSolution(std::max(t, t_), x);
}

// True if a loop whose solution has ended has another one. Changes nothing.
bool SimulationRun::HasOtherSolution(double t, std::span<const double> x) {
  const Context before = machine_.context();
  const bool has = ReachOtherSolution(t, x).has_value();
  machine_.Restore(before);
  return has;
}

// Leaves that solution in memory.
// @returns the index of the loop.
std::optional<std::size_t> SimulationRun::ReachOtherSolution(
    double t, std::span<const double> x) {
  if (Place(t, x)) {
    return std::nullopt;
  }
  const auto failure = RunAll(LoopStart::kAccepted);
  if (!failure) {
    for (std::size_t i = 0; i < program_.blocks.size(); ++i) {
      if (machine_.loop(i).HasLeft(machine_.context())) {
        return i;
      }
    }
    return std::nullopt;
  }
  if (!IsLost(*failure)) {
    return std::nullopt;
  }
  const std::size_t loop = failure->step.index;
  return machine_.loop(loop).SolveElsewhere(machine_.context()) &&
                 !Compute(t, x, LoopStart::kAccepted)
             ? std::optional(loop)
             : std::nullopt;
}

// Carries out an event in which a loop takes the solution that was found.
// Within rounding of a fold the last values may be those of the row before.
bool SimulationRun::TakeOtherSolution(double t, const std::vector<double>& x) {
  if (last_row_ != t_ && !Compute(t_, x_, LoopStart::kAccepted)) {
    recorder_.Append(t_, machine_.memory());
    last_row_ = t_;
  }
  if (const auto loop = ReachOtherSolution(t, x)) {
    events_.NoteJump(NameOfLoop(program_.blocks[*loop]), t);
  }
  machine_.AcceptLoops();
  t_ = t;
  x_ = x;
  needs_restart_ = true;
  has_lost_solution_ = true;
  const bool goes_on = HandleEvent();
  has_lost_solution_ = false;
  return goes_on && WatchPace();
}

}  // namespace orrery::internal
