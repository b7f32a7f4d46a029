// Follows the solutions of algebraic loops from step to step. Where a solution
// ends, the run goes on with another one.

#include <algorithm>
#include <cmath>
#include <functional>
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

}  // namespace

// The sizes of what loops start from on the path.
std::vector<double> SimulationRun::SizesOf(const LoopPath& path) const {
  std::vector<double> sizes;
  for (const ResidualBlock& block : program_.blocks) {
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
bool SimulationRun::AreFar(const LoopPath& path) const {
  return Distance(path.at_held, path.at_lost, SizesOf(path)) > kFar;
}

// Keeps the solutions at the begin of a step, to compare later ones with them.
void SimulationRun::BeginPath() {
  if (plan_.integrates_loops || plan_.follows_loops) {
    starts_before_ = machine_.context().loop_starts;
    starts_before_t_ = t_;
    starts_behind_.clear();
  }
}

// True if the loops that derivatives depend on came without a jump to a
// solution at the end of the step at hand. True as well if relations change
// within the step: the events then decide about the loops.
bool SimulationRun::KeepLoops(double reached) {
  if (is_sliding()) {
    return true;
  }
  std::vector<double>& starts = machine_.context().loop_starts;
  std::vector<double> x(x_.size());
  // The method has solved them to its tolerance with the states. At a kink it
  // may take what is far from solving them for a solution.
  const bool is_known =
      plan_.leaves_loops_open && !plan_.has_kinked_loops && barrier_ == kNever;
  const auto holds_at = [&](double t) {
    StatesAt(t, x);
    const bool is_there = ode_.is_evaluated() && machine_.t() == t;
    if (!is_there && ode_.Evaluate(t, x)) {
      return false;
    }
    machine_.AcceptLoops(program_.derivatives);
    return true;
  };
  LoopPath path{
      .held = t_, .at_held = starts_before_, .lost = reached, .at_lost = {}};
  const bool holds = is_known || holds_at(reached);
  bool keeps = false;
  if (holds) {
    path.at_lost = starts;
    LoopPath part = path;
    keeps =
        !AreFar(path) || !Narrow(part, kPartOfStep * (reached - t_), holds_at);
  }
  starts = path.at_held;
  StatesAt(reached, x);
  keeps = keeps || (events_.has_relations() && HasChangedAt(reached, x)) ||
          (holds && !HasOtherSolution(reached, x));
  if (keeps) {
    starts_behind_ = path.at_lost;
  }
  return keeps;
}

// Ends the step at hand where its loops jump.
bool SimulationRun::RetakeForLoops(double reached) {
  std::vector<double> x(x_.size());
  StatesAt(reached, x);
  if (PassLostSolution(reached, x)) {
    return true;
  }
  if (!IsAlmostAt(reached, x)) {
    HalveWay(reached);
    return true;
  }
  if (const auto why = Compute(reached, x, LoopStart::kAccepted)) {
    End(*why);
    RecordLast();
    return false;
  }
  machine_.AcceptLoops();
  t_ = reached;
  x_ = x;
  needs_restart_ = true;
  return true;
}

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
    return !AreFar(path) || PassJump(path);
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

// True if a nonlinear loop has no solution near the last one.
bool SimulationRun::IsLost(const Failure& failure) const {
  return failure.step.kind == ScheduleStep::Kind::kBlock &&
         failure.loop != LoopResult::kTape &&
         !program_.blocks[failure.step.index].is_linear;
}

void SimulationRun::GoToEnd(const LoopPath& path) {
  if (!path.at_lost.empty()) {
    machine_.context().loop_starts = path.at_lost;
  }
  t_ = path.lost;
  StatesAt(t_, x_);
  static_cast<void>(LoopsHold(t_));
}

// Halves the path as long as its ends are apart, to the half in which the loops
// change more, down to `least`. Leaves the loops anywhere on it.
// @param holds_at tells if loops have a solution at a time, and accepts it.
// @returns true if they still are apart. A steep solution is not.
bool SimulationRun::Narrow(LoopPath& path,
                           double least,
                           const std::function<bool(double)>& holds_at) {
  const std::vector<double> sizes = SizesOf(path);
  const auto is_far = [&] {
    return path.at_lost.empty() ||
           Distance(path.at_held, path.at_lost, sizes) > kFar;
  };
  while (path.lost - path.held > least && is_far()) {
    const double middle = path.held + (path.lost - path.held) / 2;
    machine_.context().loop_starts = path.at_held;
    const bool holds = holds_at(middle);
    const std::vector<double>& there = machine_.context().loop_starts;
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

// Finds where loops have left their solution, if they have.
bool SimulationRun::PassJump(const LoopPath& whole) {
  LoopPath path = whole;
  const auto holds_at = [this](double t) {
    StatesAt(t, x_);
    return LoopsHold(t);
  };
  if (!Narrow(path, Rounding(path.lost), holds_at)) {
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

// True if t_ and `t`, where the states are x, differ by as good as nothing.
bool SimulationRun::IsAlmostAt(double t, std::span<const double> x) const {
  if (t - t_ <= 2 * Rounding(t_)) {
    return true;
  }
  for (std::size_t i = 0; i < states().size(); ++i) {
    const double tolerance = options_.tolerance * std::abs(x_[i]) +
                             options_.absolute_tolerance * program_.nominal[i];
    const double allowed = kNearLoss * tolerance + kNearFold * std::abs(x_[i]);
    if (!(std::abs(x[i] - x_[i]) <= allowed)) {
      return false;
    }
  }
  return t - t_ <= kNearFold * (options_.stop - options_.start);
}

// The next step ends half way to `t`, at the latest.
void SimulationRun::HalveWay(double t) {
  needs_restart_ = true;
  barrier_ = t_ + (t - t_) / 2;
}

// Passes the end of a loop's solution, which ends a step: the way there is
// halved until the end is as good as reached.
// @param t time of the failure, for the states x.
bool SimulationRun::PassLostSolution(double t, const std::vector<double>& x) {
  if (!HasOtherSolution(t, x)) {
    return false;
  }
  ode_.ForgetFailure();
  const bool is_stuck = barrier_ == t_ + (t - t_) / 2;
  if (!IsAlmostAt(t, x) && !is_stuck) {
    HalveWay(t);
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

// The loop, of those that hold between events, whose solution in memory is not
// near the accepted one.
std::optional<std::size_t> SimulationRun::FindLoopThatLeft() {
  for (const Schedule* schedule : {&program_.derivatives, &program_.outputs}) {
    for (const ScheduleStep& step : *schedule) {
      if (step.kind == ScheduleStep::Kind::kBlock &&
          machine_.loop(step.index).HasLeft(machine_.context())) {
        return step.index;
      }
    }
  }
  return std::nullopt;
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
    return FindLoopThatLeft();
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
