// The constraints between states in a run.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/sim/run/simulation_run.h"

namespace orrery::internal {
namespace {

constexpr double kWithHistory = 100;  // Tolerances.

// Greatest distance of steps from the constraints, in tolerances. Methods that
// restart with short steps of low order do so only for more than the errors of
// a few steps; ab2, which would lose its second order, never does.
double AllowedDistance(std::string_view method) {
  if (method == "ab2") {
    return std::numeric_limits<double>::infinity();
  }
  const bool has_history = method == "ida" || method.substr(0, 5) == "cvode";
  return has_history ? kWithHistory : 0.05;
}

}  // namespace

void SimulationRun::PrepareConstraints() {
  if (!program_.constraints.constraints.empty()) {
    const SolverOptions& solver = plan_.solver;
    projection_ = std::make_unique<ConstraintProjection>(
        machine_,
        solver.relative_tolerance,
        AbsoluteTolerances(solver, states().size()));
  }
}

// Called after the start was determined.
bool SimulationRun::StartOnConstraints() {
  if (projection_ == nullptr) {
    return true;
  }
  using Outcome = ConstraintProjection::Outcome;
  std::vector<double> x(states().size());
  machine_.GetStates(x);
  const std::vector<double> given = x;
  const auto outcome = [&] {
    const Machine::Following nothing(machine_, nullptr);
    return projection_->ProjectStart(x);
  }();
  machine_.SetStates(outcome == Outcome::kMoved ? x : given);
  if (outcome == Outcome::kFailed) {
    return End(ExplainStartOffConstraint(projection_->worst()));
  }
  const bool has_moved = outcome == Outcome::kMoved;
  if (has_moved && !Take(events_.Initialize(t_))) {
    return false;
  }
  return sensitivities_ == nullptr || FollowStartOnConstraints(has_moved);
}

// Follows the motion of free start values along the directions.
bool SimulationRun::FollowStartOnConstraints(bool has_moved) {
  const Schedule& schedule = program_.constraints.schedule;
  Tangents& along = sensitivities_->tangents();
  if (const auto failure = machine_.Run(schedule)) {
    return End(ExplainFailure(machine_, *failure));
  }
  if (!projection_->FollowStart(along, has_moved)) {
    return EndAtStart(
        "the start values do not obey {}, and how far they have "
        "to move has no sensitivities",
        "give start values that obey it");
  }
  if (!Take(events_.Initialize(t_))) {
    return false;
  }
  if (const auto failure = machine_.Run(schedule)) {
    return End(ExplainFailure(machine_, *failure));
  }
  return projection_->HoldsAlong(*Along()) ||
         EndAtStart(
             "no start values are left to move so that {} goes on to "
             "hold where what is differentiated by changes",
             "leave out fixed = true of a state in it");
}

// @param message with a placeholder for the constraint.
bool SimulationRun::EndAtStart(const std::string& message,
                               const std::string& hint) {
  const StateConstraint& worst = projection_->worst();
  return End(ExplainConstraint(
      worst, fmt::format(fmt::runtime(message), TextOf(worst)), hint));
}

void SimulationRun::NoteSetState(std::size_t state) {
  const bool is_bound =
      projection_ != nullptr && program_.constraints.state_levels[state] > 0;
  if (is_bound && std::ranges::find(set_states_, state) == set_states_.end()) {
    set_states_.push_back(state);
  }
}

// Notes states that an event has set, beside those set from outside.
void SimulationRun::NoteSetStates() {
  if (projection_ != nullptr && !events_.set_slots().empty()) {
    std::ranges::for_each(BoundStates(program_, events_.set_slots()),
                          [this](std::size_t state) { NoteSetState(state); });
  }
}

std::optional<ConstraintProjection::Directions> SimulationRun::Along() {
  if (sensitivities_ == nullptr) {
    return std::nullopt;
  }
  return ConstraintProjection::Directions{
      .tangents = sensitivities_->tangents(),
      .scales = sensitivities_->scales()};
}

// Projects the states x_ at t_, to which a step has led.
bool SimulationRun::ReturnToConstraints() {
  if (const auto failure = PlaceWithTangents()) {
    return End(ExplainFailure(machine_, *failure));
  }
  const double allowed = AllowedDistance(integrator()->statistics().method);
  const auto along = Along();
  const auto outcome = projection_->ProjectStep(
      std::span(x_).first(states().size()), allowed, along ? &*along : nullptr);
  if (outcome == ConstraintProjection::Outcome::kMoved && along) {
    sensitivities_->Get(x_);
  }
  return TakeProjected(outcome);
}

// Projects the states x_ at t_, to which an event has led.
bool SimulationRun::KeepConstraints() {
  if (const auto failure = PlaceWithTangents()) {
    return End(ExplainFailure(machine_, *failure));
  }
  const std::span<double> x = std::span(x_).first(states().size());
  const double allowed = AllowedDistance(integrator()->statistics().method);
  if (!set_states_.empty()) {
    return FollowSetStates(x, std::min(allowed, kWithHistory));
  }
  const auto along = Along();
  return TakeProjected(
             projection_->Project(x, allowed, along ? &*along : nullptr)) &&
         TakeAlong(x);
}

std::optional<Failure> SimulationRun::PlaceWithTangents() {
  if (sensitivities_ != nullptr) {
    sensitivities_->Put(x_);
  }
  return Place(t_, x_);
}

bool SimulationRun::TakeProjected(ConstraintProjection::Outcome outcome) {
  if (outcome == ConstraintProjection::Outcome::kFailed) {
    return End(ExplainConstraint(
        projection_->worst(),
        fmt::format("the states left {} at t = {:.6g} s, and there are none "
                    "nearby that obey it",
                    TextOf(projection_->worst()),
                    t_),
        "let reinit() set states to values that obey it, or use shorter "
        "steps"));
  }
  needs_restart_ =
      needs_restart_ || outcome == ConstraintProjection::Outcome::kMoved;
  return true;
}

// Lets the other states follow those that were set.
bool SimulationRun::FollowSetStates(std::span<double> x, double allowed) {
  const auto along = Along();
  const auto outcome = projection_->ProjectSet(
      x, set_states_, allowed, along ? &*along : nullptr);
  if (outcome == ConstraintProjection::Outcome::kFailed) {
    return End(ExplainSetOffConstraint(
        program_, set_states_, projection_->worst(), t_));
  }
  set_states_.clear();
  needs_restart_ = true;
  return TakeAlong(x);
}

// Takes the tangents of the states after a projection.
bool SimulationRun::TakeAlong(std::span<const double> x) {
  const auto along = Along();
  if (!along) {
    return true;
  }
  if (!projection_->HoldsAfterEvent(x, *along)) {
    return End(ExplainConstraint(
        projection_->worst(),
        fmt::format("no states are left to move at t = {:.6g} s so that {} "
                    "goes on to hold where what is differentiated by changes",
                    t_,
                    TextOf(projection_->worst())),
        "set fewer of the states in it, so that others can follow, or set them "
        "to what follows from what it depends on"));
  }
  sensitivities_->Get(x_);
  return true;
}

}  // namespace orrery::internal
