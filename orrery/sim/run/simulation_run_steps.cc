// The steps of a run, and where events cut them.

#include <algorithm>
#include <cmath>
#include <optional>

#include "orrery/sim/run/simulation_run.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::internal {
namespace {

// A kink so near an end of a step, by its length, does not matter to it.
constexpr double kNearEnd = 1e-9;
// How much of the way between two events a step of the first order may take.
constexpr double kPartOfWay = 0.25;
constexpr int kMostTaken = 20;  // Steps in place of one.
constexpr int kMostCut = 50;    // Steps at whose ends nothing changed.
// Events in a step that relations are to have changed in, but have not: what
// decides is rounded otherwise there, and may be for long.
constexpr int kMostUnchanged = 200;

}  // namespace

// Unless a step reached beyond its limit.
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

// The step is taken again where it and its polynomials are wrong as they are.
StepResult SimulationRun::EndAtEvents(StepResult result) {
  quiet_until_ = t_;
  const bool may_be_wrong =
      plan_.has_kinks || integrator()->begins_at_first_order();
  if (!may_be_wrong || !events_.has_acting() || is_sliding() ||
      integrator()->t_begin() != t_) {
    return result;
  }
  // Samples of all relations would cost more than they are worth.
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

// Takes the step back in which there is an event at `change`, if it is no good:
// of the first order and as long as the time between two events, or with a kink
// of the derivatives within it.
// @returns where it should end.
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
  // The step is wrong from its begin where a kink is in it: what changes before
  // may not.
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
  // What rounding changes may not change in the shorter step, again and again.
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

// Up to where nobody looks at the steps: t_ if each is looked into, the next
// number if each has a row.
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

// The events where relations change before or at `reached`, up to one after
// which the step does not count any more.
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
    if (end - t_ > Rounding(end)) {  // Else it may have a row at the end.
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

// A change that rounding alone keeps from a row takes place there: a row before
// it would not show it, one behind it would be a second one.
double SimulationRun::AtRow(double change, double reached) const {
  const double row = grid_.next();
  const bool is_at_row =
      row > change && row - change <= Rounding(change) && row <= reached;
  return is_at_row ? row : change;
}

// The first time in (begin, reached] at which a relation changes or a sliding
// motion ends, up to the next tick after something has changed for others.
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
