#include "orrery/sim/run/run_constraints.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "orrery/sim/explain/explain.h"
#include "orrery/sim/run/run_end.h"
#include "orrery/sim/run/run_events.h"
#include "orrery/sim/run/run_values.h"

namespace orrery::sim::internal {
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

// @param message with a placeholder for the constraint.
bool EndAtStart(RunState& run,
                const std::string& message,
                const std::string& hint) {
  const StateConstraint& worst = run.constraints.projection->worst();
  return EndRun(
      run,
      ExplainConstraint(
          worst, fmt::format(fmt::runtime(message), TextOf(worst)), hint));
}

// Follows the motion of free start values along the directions.
bool FollowStartOnConstraints(RunState& run, bool has_moved) {
  const Schedule& schedule = run.program.constraints.schedule;
  Tangents& along = run.sensitivities->tangents();
  if (const auto failure = run.evaluator.Run(schedule)) {
    return EndRun(run, ExplainFailure(run.evaluator, *failure));
  }
  if (!run.constraints.projection->FollowStart(along, has_moved)) {
    return EndAtStart(run,
                      "the start values do not obey {}, and how far they have "
                      "to move has no sensitivities",
                      "give start values that obey it");
  }
  if (!FinishEvent(run, run.events.Initialize(run.t))) {
    return false;
  }
  if (const auto failure = run.evaluator.Run(schedule)) {
    return EndRun(run, ExplainFailure(run.evaluator, *failure));
  }
  return run.constraints.projection->HoldsAlong(*DirectionsOf(run)) ||
         EndAtStart(run,
                    "no start values are left to move so that {} goes on to "
                    "hold where what is differentiated by changes",
                    "leave out fixed = true of a state in it");
}

std::optional<Failure> WriteWithTangents(RunState& run) {
  if (run.sensitivities != nullptr) {
    run.sensitivities->Put(run.x);
  }
  return WritePoint(run, run.t, run.x);
}

bool TakeProjected(RunState& run, ConstraintProjection::Outcome outcome) {
  if (outcome == ConstraintProjection::Outcome::kFailed) {
    return EndRun(
        run,
        ExplainConstraint(
            run.constraints.projection->worst(),
            fmt::format(
                "the states left {} at t = {:.6g} s, and there are none "
                "nearby that obey it",
                TextOf(run.constraints.projection->worst()),
                run.t),
            "let reinit() set states to values that obey it, or use shorter "
            "steps"));
  }
  run.needs_restart =
      run.needs_restart || outcome == ConstraintProjection::Outcome::kMoved;
  return true;
}

// Takes the tangents of the states after a projection.
bool TakeTangents(RunState& run, std::span<const double> x) {
  const auto along = DirectionsOf(run);
  if (!along) {
    return true;
  }
  if (!run.constraints.projection->HoldsAfterEvent(x, *along)) {
    return EndRun(
        run,
        ExplainConstraint(
            run.constraints.projection->worst(),
            fmt::format(
                "no states are left to move at t = {:.6g} s so that {} "
                "goes on to hold where what is differentiated by changes",
                run.t,
                TextOf(run.constraints.projection->worst())),
            "set fewer of the states in it, so that others can follow, or set "
            "them "
            "to what follows from what it depends on"));
  }
  run.sensitivities->Get(run.x);
  return true;
}

// Lets the other states follow those that were set.
bool FollowSetStates(RunState& run, std::span<double> x, double allowed) {
  const auto along = DirectionsOf(run);
  const auto outcome = run.constraints.projection->ProjectSet(
      x, run.constraints.set_states, allowed, along ? &*along : nullptr);
  if (outcome == ConstraintProjection::Outcome::kFailed) {
    return EndRun(run,
                  ExplainSetOffConstraint(run.program,
                                          run.constraints.set_states,
                                          run.constraints.projection->worst(),
                                          run.t));
  }
  run.constraints.set_states.clear();
  run.needs_restart = true;
  return TakeTangents(run, x);
}

}  // namespace

void PrepareConstraints(RunState& run) {
  if (!run.program.constraints.constraints.empty()) {
    const SolverOptions& solver = run.plan.solver;
    run.constraints.projection = std::make_unique<ConstraintProjection>(
        run.evaluator,
        solver.relative_tolerance,
        AbsoluteTolerances(solver, run.states().size()));
  }
}

bool StartOnConstraints(RunState& run) {
  if (run.constraints.projection == nullptr) {
    return true;
  }
  using Outcome = ConstraintProjection::Outcome;
  std::vector<double> x(run.states().size());
  run.evaluator.GetStates(x);
  const std::vector<double> given = x;
  const auto outcome = [&] {
    const ProgramEvaluator::Following nothing(run.evaluator, nullptr);
    return run.constraints.projection->ProjectStart(x);
  }();
  run.evaluator.SetStates(outcome == Outcome::kMoved ? x : given);
  if (outcome == Outcome::kFailed) {
    return EndRun(
        run, ExplainStartOffConstraint(run.constraints.projection->worst()));
  }
  const bool has_moved = outcome == Outcome::kMoved;
  if (has_moved && !FinishEvent(run, run.events.Initialize(run.t))) {
    return false;
  }
  return run.sensitivities == nullptr ||
         FollowStartOnConstraints(run, has_moved);
}

void NoteSetState(RunState& run, std::size_t state) {
  const bool is_bound = run.constraints.projection != nullptr &&
                        run.program.constraints.state_levels[state] > 0;
  if (is_bound && std::ranges::find(run.constraints.set_states, state) ==
                      run.constraints.set_states.end()) {
    run.constraints.set_states.push_back(state);
  }
}

void NoteSetStates(RunState& run) {
  if (run.constraints.projection != nullptr &&
      !run.events.set_slots().empty()) {
    std::ranges::for_each(
        BoundStates(run.program, run.events.set_slots()),
        [&run](std::size_t state) { NoteSetState(run, state); });
  }
}

bool ReturnToConstraints(RunState& run) {
  if (const auto failure = WriteWithTangents(run)) {
    return EndRun(run, ExplainFailure(run.evaluator, *failure));
  }
  const double allowed =
      AllowedDistance(run.active_integrator()->statistics().method);
  const auto along = DirectionsOf(run);
  const auto outcome = run.constraints.projection->ProjectStep(
      std::span(run.x).first(run.states().size()),
      allowed,
      along ? &*along : nullptr);
  if (outcome == ConstraintProjection::Outcome::kMoved && along) {
    run.sensitivities->Get(run.x);
  }
  return TakeProjected(run, outcome);
}

bool KeepConstraints(RunState& run) {
  if (const auto failure = WriteWithTangents(run)) {
    return EndRun(run, ExplainFailure(run.evaluator, *failure));
  }
  const std::span<double> x = std::span(run.x).first(run.states().size());
  const double allowed =
      AllowedDistance(run.active_integrator()->statistics().method);
  if (!run.constraints.set_states.empty()) {
    return FollowSetStates(run, x, std::min(allowed, kWithHistory));
  }
  const auto along = DirectionsOf(run);
  return TakeProjected(run,
                       run.constraints.projection->Project(
                           x, allowed, along ? &*along : nullptr)) &&
         TakeTangents(run, x);
}

std::optional<ConstraintProjection::Directions> DirectionsOf(RunState& run) {
  if (run.sensitivities == nullptr) {
    return std::nullopt;
  }
  return ConstraintProjection::Directions{
      .tangents = run.sensitivities->tangents(),
      .scales = run.sensitivities->scales()};
}

}  // namespace orrery::sim::internal
