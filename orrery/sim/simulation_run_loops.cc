// The solutions of algebraic loops, from step to step: where one ends, the run
// goes on with another one.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "orrery/sim/internal/explain_loops.h"
#include "orrery/sim/internal/rounding.h"
#include "orrery/sim/internal/simulation_run.h"

namespace orrery::internal {
namespace {

// Of the tolerance: what states may miss the end of a solution by.
constexpr double kNear = 1e-6;
// Solutions of loops that differ by more than this part of their size within a
// step may have jumped: they have, if they still do within this part of it.
constexpr double kFar = 0.1;
constexpr double kPartOfStep = 1.0 / 256;
// Of the length of a run, and of states: what may be rounding beside a fold.
constexpr double kAlmost = 1e-12;
// Below this part of usual sizes is 0: a root changes by 1e-7 within rounding.
constexpr double kSmall = 1e-3;

// Of what loops start from, as parts of `sizes`.
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

// Whether its ends are so far apart that loops may have jumped between.
bool SimulationRun::AreFar(const LoopPath& path) const {
  return Distance(path.at_held, path.at_lost, SizesOf(path)) > kFar;
}

// What the solutions in the step that begins now are compared with.
void SimulationRun::BeginPath() {
  if (plan_.integrates_loops || plan_.follows_loops) {
    starts_before_ = machine_.context().loop_starts;
    starts_before_t_ = t_;
    starts_behind_.clear();
  }
}

// Whether the loops that derivatives depend on have a solution at the end of
// the step at hand, which they came to without a jump; or relations change on
// the way there: events, then, tell what becomes of them.
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

// The step at hand is over where its loops have come to jump.
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

// Loops that derivatives do not depend on are solved at each step, too: where
// they begin, else, would depend on what is looked at.
// @param before where the step began.
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
  // If it is something else, what looks at the values tells.
  const auto failure = RunAll(LoopStart::kAccepted);
  return !failure || !IsLost(*failure) || PassJump(path);
}

// For the states in x_.
bool SimulationRun::LoopsHold(double t) {
  if (Compute(t, x_, LoopStart::kAccepted)) {
    return false;
  }
  machine_.AcceptLoops(program_.outputs);
  return true;
}

// Whether a nonlinear loop could be followed up to now and has no solution near
// the last one.
bool SimulationRun::IsLost(const Failure& failure) const {
  return failure.step.kind == ScheduleStep::Kind::kBlock &&
         failure.loop != LoopResult::kTape &&
         !program_.blocks[failure.step.index].is_linear &&
         machine_.loop(failure.step.index).was_followed();
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
// @param holds_at whether loops have a solution at a time, which is accepted.
// @returns whether they still are: what is steep is not.
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

// Whether as good as nothing is between t_ and `t`, where the states are x.
bool SimulationRun::IsAlmostAt(double t, std::span<const double> x) const {
  if (t - t_ <= 2 * Rounding(t_)) {
    return true;
  }
  for (std::size_t i = 0; i < states().size(); ++i) {
    const double tolerance = options_.tolerance * std::abs(x_[i]) +
                             options_.absolute_tolerance * program_.nominal[i];
    const double allowed = kNear * tolerance + kAlmost * std::abs(x_[i]);
    if (!(std::abs(x[i] - x_[i]) <= allowed)) {
      return false;
    }
  }
  return t - t_ <= kAlmost * (options_.stop - options_.start);
}

// The next step ends half way to `t`, at the latest.
void SimulationRun::HalveWay(double t) {
  needs_restart_ = true;
  barrier_ = t_ + (t - t_) / 2;
}

// Where a step ends because the solution of a loop does: the way there is
// halved until its end is as good as reached.
// @param t where it has failed, for the states x.
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

// Whether a loop whose solution has ended has another one. All is as before.
bool SimulationRun::HasOtherSolution(double t, std::span<const double> x) {
  const Context before = machine_.context();
  const bool has = ReachOtherSolution(t, x).has_value();
  machine_.Restore(before);
  return has;
}

// Leaves that solution in memory.
// @returns the loop.
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

// An event in which a loop takes the solution that was found. Within rounding
// of a fold the last values may be those of the row before.
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
