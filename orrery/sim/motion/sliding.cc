#include "orrery/sim/motion/sliding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/base/numbers/all_finite.h"
#include "orrery/solver/steps/crossing.h"

namespace orrery::sim::internal {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Rates belong to one surface if they are proportional up to this share.
constexpr double kSameRates = 1e-6;

}  // namespace

SlidingMotion::SlidingMotion(ProgramEvaluator& evaluator,
                             InputSignals& inputs,
                             ProgramOde& ode,
                             EventEngine& events,
                             Accuracy accuracy)
    : evaluator_(evaluator),
      inputs_(inputs),
      ode_(ode),
      events_(events),
      program_(evaluator.program()),
      accuracy_(std::move(accuracy)),
      bounds_(*program_.tape),
      input_slopes_(program_.input_slots.size()),
      x_(program_.state_slots.size()),
      on_surface_(program_.state_slots.size()) {
  FindShownSlots();
  const std::size_t num_relations = program_.events.relations.size();
  for (Side* side : {&low_, &high_}) {
    side->dx.resize(x_.size());
    side->rates.resize(num_relations);
    side->truths.resize(num_relations);
    side->shown.resize(shown_slots_.size());
  }
}

// Finds the slots that vary between events, without the states themselves.
void SlidingMotion::FindShownSlots() {
  std::vector<std::uint32_t> fixed = program_.state_slots;
  const std::vector<std::uint32_t>& held = program_.events.held_slots;
  fixed.insert(fixed.end(), held.begin(), held.end());
  for (const Reference& derivative : program_.derivatives_at) {
    shown_slots_.push_back(derivative.slot);
  }
  for (const ProgramVariable& variable : program_.variables) {
    const bool is_shown = variable.type == ValueType::kReal &&
                          (variable.kind == VariableKind::kAlgebraic ||
                           variable.kind == VariableKind::kDerivative);
    const std::size_t count =
        static_cast<std::size_t>(NumElements(variable.shape));
    std::vector<std::uint32_t>& slots = is_shown ? shown_slots_ : fixed;
    for (std::size_t i = 0; i < count; ++i) {
      slots.push_back(program_.references[variable.first_reference + i].slot);
    }
  }
  std::ranges::sort(fixed);
  std::ranges::sort(shown_slots_);
  shown_slots_.erase(std::unique(shown_slots_.begin(), shown_slots_.end()),
                     shown_slots_.end());
  std::erase_if(shown_slots_, [&fixed](std::uint32_t slot) {
    return std::ranges::binary_search(fixed, slot);
  });
}

// Sides -----------------------------------------------------------------------

void SlidingMotion::ReadHeld(std::vector<double>& held) const {
  held.clear();
  for (const std::uint32_t slot : program_.events.held_slots) {
    held.push_back(evaluator_.memory()[slot]);
  }
}

void SlidingMotion::WriteHeld(std::span<const double> held) {
  for (std::size_t i = 0; i < held.size(); ++i) {
    evaluator_.memory()[program_.events.held_slots[i]] = held[i];
  }
  evaluator_.ForgetMatrices();
  evaluator_.NoteHeldChange();
}

bool SlidingMotion::Evaluate(double t, std::span<const double> x, Side& side) {
  WriteHeld(side.held);
  return ode_.DerivativeInMemory(t, x, side.dx) == Evaluation::kOk &&
         AllFinite(side.dx) && FindRates(side);
}

bool SlidingMotion::EvaluateBoth(double t, std::span<const double> x) {
  const bool is_done = Evaluate(t, x, low_) && Evaluate(t, x, high_);
  WriteHeld(held_);
  return is_done && !evaluator_.RunSection(*program_.events.watch_section);
}

// Finds the rates of s along the side's derivatives, for all relations. They
// are exact: bounds with point slopes.
bool SlidingMotion::FindRates(Side& side) {
  const std::span<const double> memory = evaluator_.memory();
  bounds_.Begin(memory);
  const auto set = [&](std::uint32_t slot, double slope) {
    bounds_.Set(slot,
                {.value = Interval::Point(memory[slot]),
                 .slope = Interval::Point(slope)});
  };
  set(program_.time_slot, 1);
  for (std::size_t i = 0; i < side.dx.size(); ++i) {
    set(program_.state_slots[i], side.dx[i]);
  }
  inputs_.Slopes(evaluator_.t(), input_slopes_);
  for (std::size_t i = 0; i < input_slopes_.size(); ++i) {
    set(program_.input_slots[i], input_slopes_[i]);
  }
  if (!bounds_.Run(*program_.events.watch_section)) {
    return false;
  }
  for (std::size_t k = 0; k < side.rates.size(); ++k) {
    const WatchedRelation& relation = program_.events.relations[k];
    const Interval left = bounds_.Get(relation.left_slot).slope;
    const Interval right = bounds_.Get(relation.right_slot).slope;
    side.rates[k] =
        (right.lower - left.upper) / 2 + (right.upper - left.lower) / 2;
  }
  return std::isfinite(side.rates[surface_]);
}

bool SlidingMotion::OpposesAt(std::size_t relation) const noexcept {
  return low_.rates[relation] > 0 && high_.rates[relation] < 0;
}

// The rate of s along f_high - f_low; negative if the sides oppose.
double SlidingMotion::Closing() const noexcept {
  return high_.rates[surface_] - low_.rates[surface_];
}

// The weight of f_high.
double SlidingMotion::Weight() const noexcept {
  return low_.rates[surface_] / -Closing();
}

// The value of s for the states and the time in memory.
double SlidingMotion::SurfaceValue(std::size_t relation) const {
  const WatchedRelation& watched = program_.events.relations[relation];
  return evaluator_.memory()[watched.right_slot] -
         evaluator_.memory()[watched.left_slot];
}

// Moves `x` along f_high - f_low until s has changed by `distance`.
void SlidingMotion::Move(double distance, std::span<double> x) const {
  const double duration = distance / Closing();
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += duration * (high_.dx[i] - low_.dx[i]);
  }
}

// Begin and end ---------------------------------------------------------------

SlidingMotion::Finding SlidingMotion::Find(double t,
                                           std::span<const double> x) {
  if (!program_.events.watch_section || !evaluator_.delays().empty()) {
    return Finding::kNone;
  }
  saved_ = evaluator_.context();
  ReadHeld(held_);
  auto finding = Finding::kNone;
  for (const std::size_t k : events_.last_changed()) {
    surface_ = k;
    const bool is_high = events_.truth(k);
    Side& now = is_high ? high_ : low_;
    Side& before = is_high ? low_ : high_;
    now.held = held_;
    before.held.assign(events_.held_before().begin(),
                       events_.held_before().end());
    if (Evaluate(t, x, low_) && Evaluate(t, x, high_) && Closing() < 0) {
      finding = std::max(finding, Probe(t, x));
    }
    evaluator_.Restore(saved_);
    if (finding == Finding::kOpposed) {
      break;
    }
  }
  ode_.ForgetFailure();
  return finding;
}

SlidingMotion::Finding SlidingMotion::FindAgain(double t,
                                                std::span<const double> x) {
  saved_ = evaluator_.context();
  ReadHeld(held_);
  const Finding finding = Probe(t, x);
  evaluator_.Restore(saved_);
  ode_.ForgetFailure();
  return finding;
}

// Evaluates the fields just off the surface. So near to it, ties on it and
// relations with the same surface have not all changed at once: the side that
// an event leads to need not be the one beyond the surface.
SlidingMotion::Finding SlidingMotion::Probe(double t,
                                            std::span<const double> x) {
  on_surface_.assign(x.begin(), x.end());
  if (!Project(t, on_surface_) || !ProbeSides(t, x)) {
    return Finding::kNone;
  }
  auto stranger = FindStranger();
  if (stranger && Pass(t, *stranger) && ProbeSides(t, x)) {
    stranger = FindStranger();
  }
  if (stranger) {
    relations_.assign({surface_, *stranger});
    return Finding::kSeveral;
  }
  return OpposesAt(surface_) && !Matters(SurfaceValue(surface_), x)
             ? Finding::kOpposed
             : Finding::kNone;
}

// Moves `x` onto the surface. Memory is scratch.
bool SlidingMotion::Project(double t, std::span<double> x) {
  evaluator_.set_t(t);
  evaluator_.SetStates(x);
  if (evaluator_.RunSection(*program_.events.watch_section)) {
    return false;
  }
  Move(-SurfaceValue(surface_), x);
  return AllFinite(x);
}

// Takes the smallest distance beside `on_surface_` that shows both sides, and
// evaluates these at `x`.
// @returns false if there are no two sides.
bool SlidingMotion::ProbeSides(double t, std::span<const double> x) {
  constexpr int kAttempts = 7;
  constexpr double kFarther = 16;
  duration_ = ShortDuration(x);
  bool is_between = false;
  for (int i = 0; i < kAttempts && !is_between; ++i) {
    duration_ *= i == 0 ? 1 : kFarther;
    is_between = std::isfinite(duration_) && ProbeBeside(t);
  }
  evaluator_.Restore(saved_);
  return is_between && EvaluateBoth(t, x) && Closing() < 0;
}

// Lists the relations that differ between the sides.
// @returns one with a surface of its own, or none.
std::optional<std::size_t> SlidingMotion::FindStranger() {
  relations_.clear();
  for (std::size_t k = 0; k < low_.truths.size(); ++k) {
    if (low_.truths[k] == high_.truths[k]) {
      continue;
    }
    if (k != surface_ && !AreOneSurface(k)) {
      return k;
    }
    relations_.push_back(k);
  }
  return std::nullopt;
}

// Moves `on_surface_` along the sliding motion until `relation`, which changes
// at this instant too, has changed on both sides.
// @returns false if the motion does not lead there.
bool SlidingMotion::Pass(double t, std::size_t relation) {
  constexpr double kMostDurations = 1e6;
  const double weight = Weight();
  const double low = low_.rates[relation];
  const double high = high_.rates[relation];
  const double rate = low + weight * (high - low);
  const double needed =
      4 * (duration_ * std::abs(high - low) + std::abs(SurfaceValue(relation)));
  if (!(events_.truth(relation) ? rate > 0 : rate < 0) ||
      needed > kMostDurations * duration_ * std::abs(rate)) {
    return false;
  }
  const double ahead = needed / std::abs(rate);
  for (std::size_t i = 0; i < on_surface_.size(); ++i) {
    on_surface_[i] +=
        ahead * (low_.dx[i] + weight * (high_.dx[i] - low_.dx[i]));
  }
  return Project(t, on_surface_);
}

// True if a move along f_high - f_low that changes s by `distance` is no small
// part of the tolerance.
bool SlidingMotion::Matters(double distance, std::span<const double> x) const {
  constexpr double kPartOfTolerance = 0.5;
  const double duration = distance / Closing();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double tolerance =
        accuracy_.relative * std::abs(x[i]) + accuracy_.absolute[i];
    if (!(std::abs(duration * (high_.dx[i] - low_.dx[i])) <=
          kPartOfTolerance * tolerance)) {
      return true;
    }
  }
  return false;
}

// A duration along f_high - f_low that moves no state by much more than its
// rounding.
double SlidingMotion::ShortDuration(std::span<const double> x) const {
  constexpr double kPartOfTolerance = 1e-6;
  constexpr double kRoundings = 32;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double rate = std::abs(high_.dx[i] - low_.dx[i]);
    if (rate > 0) {
      const double size = std::abs(x[i]);
      const double reach = std::max(kPartOfTolerance * accuracy_.absolute[i],
                                    kRoundings * kEpsilon * size);
      shortest = std::min(shortest, reach / rate);
    }
  }
  return shortest;
}

// @returns true if the relation is false on the low and true on the high side.
bool SlidingMotion::ProbeBeside(double t) {
  for (Side* side : {&low_, &high_}) {
    std::ranges::copy(on_surface_, x_.begin());
    Move((side == &low_ ? duration_ : -duration_) * Closing(), x_);
    evaluator_.Restore(saved_);
    evaluator_.set_t(t);
    evaluator_.SetStates(x_);
    if (!events_.Probe(side->truths)) {
      return false;
    }
    ReadHeld(side->held);
  }
  return low_.truths[surface_] == 0 && high_.truths[surface_] == 1;
}

// True if `relation` has the surface of the motion, as far as this instant
// tells.
bool SlidingMotion::AreOneSurface(std::size_t relation) const {
  const double low = low_.rates[relation] * high_.rates[surface_];
  const double high = high_.rates[relation] * low_.rates[surface_];
  const double reach = 4 * duration_ + 8 * Spacing(evaluator_.t());
  const auto size = [this](std::size_t k) {
    return std::abs(low_.rates[k]) + std::abs(high_.rates[k]);
  };
  return std::abs(low - high) <= kSameRates * size(relation) * size(surface_) &&
         std::abs(SurfaceValue(relation)) <= reach * size(relation);
}

bool SlidingMotion::is_aside() const {
  const Side& side = events_.truth(surface_) ? high_ : low_;
  return std::ranges::all_of(relations_, [&](std::size_t k) {
    return (side.truths[k] != 0) == events_.truth(k);
  });
}

void SlidingMotion::Begin() {
  ReadHeld(held_);
  is_active_ = true;
  leaves_high_.reset();
  events_.Ignore(relations_);
}

void SlidingMotion::End() {
  is_active_ = false;
  events_.Ignore({});
}

bool SlidingMotion::MeetsSecondSurface() {
  const double weight = Weight();
  for (const std::size_t k : events_.last_changed()) {
    if (std::ranges::count(relations_, k) > 0) {
      continue;
    }
    const double rate = weight * high_.rates[k] + (1 - weight) * low_.rates[k];
    if (events_.truth(k) ? rate < 0 : rate > 0) {
      relations_.assign({surface_, k});
      return true;
    }
  }
  return false;
}

// Motion ----------------------------------------------------------------------

Evaluation SlidingMotion::Derivative(double t,
                                     std::span<const double> x,
                                     std::span<double> dx) {
  if (!EvaluateBoth(t, x)) {
    return ode_.Fail(t, x);
  }
  const double weight = Weight();
  if (!std::isfinite(weight)) {
    return ode_.Fail(t, x);
  }
  for (std::size_t i = 0; i < dx.size(); ++i) {
    dx[i] = low_.dx[i] + weight * (high_.dx[i] - low_.dx[i]);
  }
  return Evaluation::kOk;
}

double SlidingMotion::FindExit(const DenseOutput& dense,
                               double begin,
                               double end) {
  constexpr int kSamples = 4;
  // The smaller push, negated. Evaluations that fail are left to the
  // integrator.
  const auto excess = [&](double t) {
    dense.Evaluate(t, x_);
    return EvaluateBoth(t, x_)
               ? std::max(-low_.rates[surface_], high_.rates[surface_])
               : -1.0;
  };
  const auto has_left = [](double value) {
    return value > 0;
  };
  const auto leave_at = [&](double t) {
    excess(t);
    leaves_high_ = high_.rates[surface_] > -low_.rates[surface_];
    return t;
  };
  if (has_left(excess(begin))) {  // By rounding only.
    return leave_at(std::min(begin + Spacing(begin), end));
  }
  double before = begin;
  for (int i = 1; i <= kSamples; ++i) {
    const double after =
        i == kSamples ? end : begin + (end - begin) * i / kSamples;
    if (has_left(excess(after))) {
      return leave_at(LocateCrossing(before, after, excess, has_left).after);
    }
    before = after;
  }
  return kNever;
}

void SlidingMotion::MoveAside(double t, std::span<double> x) {
  if (!EvaluateBoth(t, x) || !(Closing() < 0)) {
    return;
  }
  duration_ = std::max(duration_, ShortDuration(x));
  const bool to_high = leaves_high_.value_or(events_.truth(surface_));
  const double away = (to_high ? -duration_ : duration_) * Closing();
  const double now = SurfaceValue(surface_) / away;
  if (!(now > 0.5 && now < 2)) {
    Move(away - SurfaceValue(surface_), x);
  }
}

SlidingMotion::Correction SlidingMotion::Correct(double t,
                                                 std::span<double> x) {
  Correction correction;
  if (!EvaluateBoth(t, x) || !(Closing() < 0)) {
    return correction;
  }
  const double weight = Weight();
  for (const std::size_t k : relations_) {
    const double low = low_.rates[k];
    const double high = high_.rates[k];
    if (std::abs((1 - weight) * low + weight * high) >
        kSameRates * (std::abs(low) + std::abs(high))) {
      relations_.assign({surface_, k});
      correction.is_single = false;
      return correction;
    }
  }
  const double distance = -SurfaceValue(surface_);
  correction.is_due = Matters(distance, x);
  if (correction.is_due) {
    Move(distance, x);
  }
  return correction;
}

std::optional<Failure> SlidingMotion::Show(ProgramEvaluator::LoopStart start) {
  for (Side* side : {&low_, &high_}) {
    WriteHeld(side->held);
    for (const Schedule* schedule :
         {&program_.derivatives, &program_.outputs}) {
      if (auto failure = evaluator_.Run(*schedule, start)) {
        WriteHeld(held_);
        return failure;
      }
    }
    for (std::size_t i = 0; i < shown_slots_.size(); ++i) {
      side->shown[i] = evaluator_.memory()[shown_slots_[i]];
    }
    evaluator_.GetDerivatives(side->dx);
    FindRates(*side);
  }
  WriteHeld(held_);
  const double weight = std::clamp(Weight(), 0.0, 1.0);
  for (std::size_t i = 0; i < shown_slots_.size(); ++i) {
    evaluator_.memory()[shown_slots_[i]] =
        low_.shown[i] + weight * (high_.shown[i] - low_.shown[i]);
  }
  return std::nullopt;
}

}  // namespace orrery::sim::internal
