// The steps of a run and their ends at events.

#include <algorithm>
#include <cmath>
#include <optional>

#include "orrery/sim/run/simulation_run.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::internal {
namespace {

// Relative to the length of a step: kinks so near its ends do not matter.
constexpr double kNearEnd = 1e-9;
// Greatest step of first order, relative to the time between two events.
constexpr double kPartOfWay = 0.25;
constexpr int kMostTaken = 20;  // Steps in place of one.
constexpr int kMostCut = 50;    // Those at whose ends nothing changed.
// Events in a step in which relations should have changed, but did not:
// rounding differs there, perhaps for long.
constexpr int kMostUnchanged = 200;

}  // namespace

// Takes a step, unless one has reached beyond its limit.
StepResult SimulationRun::TakeStep(double limit, double end) {
  if (integrator()->t() > t_) {
    return {};
  }
  StepResult result = integrator()->StepUntil(NextLook(end), limit);
  if (!result.stepped() && integrator()->t() > t_) {
    t_ = integrator()->t();
    StatesAt(t_, x_);
  }
  if (!result.stepped() && limit > end) {
    ode_.ForgetFailure();  // It may be otherwise beyond the end.
    integrator()->Restart(t_, x_);
    result = integrator()->Step(std::min(limit, end));
  }
  if (result.stepped()) {
    ode_.ForgetFailure();
  }
  return result;
}

// Takes the step again if it and its polynomials are wrong.
StepResult SimulationRun::EndAtEvents(StepResult result) {
  quiet_until_ = t_;
  const bool may_be_wrong =
      plan_.has_kinks || integrator()->begins_at_first_order();
  if (!may_be_wrong || !events_.has_acting() || is_sliding() ||
      integrator()->t_begin() != t_) {
    return result;
  }
  // Sampling all relations would not pay.
  const bool kinks_only =
      !integrator()->begins_at_first_order() && !events_.has_bounds();
  for (int k = 0; k < kMostTaken && result.stepped(); ++k) {
    const double change =
        events_.Foresee(dense(), t_, integrator()->t(), kinks_only);
    const auto end = change < kNever ? TakeBackFor(change) : std::nullopt;
    if (!end) {
      if (change == kNever && events_.all_act() && !kinks_only &&
          !events_.has_rearmed()) {
        quiet_until_ = integrator()->t();
      }
      break;
    }
    result = integrator()->Step(*end);
  }
  return result;
}

// Takes a step with an event at `change` back if it is wrong: if it is of first
// order and as long as the time between two events, or if a kink of the
// derivatives is within it.
// @returns the time at which it should end; none if it stays.
std::optional<double> SimulationRun::TakeBackFor(double change) {
  const double reached = integrator()->t();
  const double length = reached - t_;
  const double apart = change - resumed_;
  const double part = kPartOfWay / 2 * apart;
  if (integrator()->begins_at_first_order() && length > kPartOfWay * apart &&
      part > Rounding(reached)) {
    if (!integrator()->TakeBack()) {
      integrator()->Restart(t_, x_);
    }
    return t_ + part;
  }
  if (!plan_.has_kinks) {
    return std::nullopt;
  }
  // A kink makes the step wrong from its begin: earlier changes may be none.
  const auto is_within = [&](double t) {
    return std::min(t - t_, reached - t) >
           std::max(kNearEnd * length, Rounding(reached));
  };
  const auto kink_behind = [&](double t, double otherwise) {
    const double kink = events_.ForeseeKink(dense(), t_, reached, t);
    return kink < kNever ? kink : otherwise;
  };
  double kink = kink_behind(t_, change);
  if (!is_within(kink)) {
    kink = kink_behind(kink, kink);
  }
  // Changes by rounding may vanish in the shorter step, again and again.
  if (!is_within(kink) || num_cut_ >= kMostCut) {
    return std::nullopt;
  }
  if (!integrator()->TakeBack()) {
    if (kink == change) {
      return std::nullopt;
    }
    integrator()->Restart(t_, x_);
  }
  ++num_cut_;
  return kink;
}

// The time up to which nobody looks at the steps: t_ if each is looked into,
// the next double if each has a row.
double SimulationRun::NextLook(double end) const {
  const bool is_seen = events_.has_relations() || watch_ != nullptr ||
                       is_sliding() || sensitivities_ != nullptr ||
                       projection_ != nullptr || !program_.delays.empty() ||
                       !program_.blocks.empty();
  if (is_seen) {
    return t_;
  }
  return HasRowAStep() ? std::nextafter(t_, end) : std::min(grid_.next(), end);
}

// Passes the events where relations change up to `reached`, until one makes the
// rest of the step invalid.
bool SimulationRun::PassChanges(double reached, double end) {
  double begin = t_;
  int num_unchanged = 0;
  double passed_over = 0;
  while (begin < std::min(reached, stop_) && !needs_restart_) {
    const double change = FirstChange(begin, std::min(reached, stop_));
    if (change == kNever) {
      return true;
    }
    if (change >= leave_from_) {
      is_due_ = true;
      return true;
    }
    begin = AtRow(change, std::min(reached, stop_));
    t_ = begin;
    StatesAt(t_, x_);
    num_cut_ = 0;
    if (!RecordDelays() || !EmitRows(end) || !HandleEvent()) {
      return false;
    }
    if (end - t_ > Rounding(end)) {  // Else the end may have a row.
      grid_.SkipTo(t_);
    }
    if (!needs_restart_) {
      needs_restart_ = NextTime() < reached;
      if (!has_relation_changed_ && ++num_unchanged > kMostUnchanged) {
        passed_over = std::max(2 * passed_over, Rounding(begin));
        begin += passed_over;
      }
      continue;
    }
    if (!WatchPace()) {
      return false;
    }
  }
  return true;
}

// Moves a change to a row if only rounding keeps it from there: the row would
// not show it, or would be a second one.
double SimulationRun::AtRow(double change, double reached) const {
  const double row = grid_.next();
  const bool is_at_row =
      row > change && row - change <= Rounding(change) && row <= reached;
  return is_at_row ? row : change;
}

// The first time in (begin, reached] at which a relation changes or a sliding
// motion ends, up to the tick at which others see a change.
double SimulationRun::FirstChange(double begin, double reached) {
  if (watch_ == nullptr || stop_ != kNever) {
    return FirstOfEquations(begin, reached);
  }
  const double change = FirstOfEquations(begin, reached);
  const double seen = watch_->First(dense(), begin, std::min(change, reached));
  if (seen < kNever) {
    StopFor(seen);
  }
  if (change > stop_) {
    return kNever;
  }
  return change;
}

}  // namespace orrery::internal
