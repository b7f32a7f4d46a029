// The end of a run, and failures that do not end it.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/numbers/all_finite.h"
#include "orrery/sim/explain/explain_loops.h"
#include "orrery/sim/explain/small_states.h"
#include "orrery/sim/record/range_warnings.h"
#include "orrery/sim/run/simulation_run.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::internal {
namespace {

// Distances from an event, in tolerances: one that counts as reaching it, and
// one that does so if no time is left between.
constexpr double kNear = 1e-6;
constexpr double kAlmost = 1e-3;

}  // namespace

// Passes a failure to evaluate the equations that is due to a change of a
// relation, as after the end of `if h > 0 then sqrt(h) else 0`. The way there
// is halved until the event is as good as reached. It then takes place. If time
// changes the relation, it does so when the way is too short to be halved.
// @returns false if the failure stands.
bool SimulationRun::PassFailure() {
  if (!ode_.has_failed() || is_sliding() || !machine_.goes_on()) {
    return false;
  }
  const double t = ode_.failed_t();
  const std::vector<double> x(ode_.failed_x().begin(), ode_.failed_x().end());
  const double half = t_ + (t - t_) / 2;
  const bool is_short = half - t_ <= Rounding(t_);
  if (!events_.has_relations() || !HasChangedAt(t, x) ||
      (is_short && !IsNear(x, kAlmost))) {
    return PassLostSolution(t, x);
  }
  ode_.ForgetFailure();
  needs_restart_ = true;
  barrier_ = kNever;
  if (is_short) {
    t_ = std::max(t, t_);
  } else if (!IsNear(x, kNear) || !HasChangedAt(t_, x)) {
    barrier_ = half;
    return true;
  }
  return HandleEvent(&EventEngine::Run, x) && WatchPace();
}

bool SimulationRun::HasChangedAt(double t, std::span<const double> x) {
  return !Place(t, x) && events_.HasRelationChanged();
}

// True if `x` is less than a part of the tolerance away.
bool SimulationRun::IsNear(std::span<const double> x, double part) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double scale = options_.tolerance * std::abs(x_[i]) +
                         options_.absolute_tolerance * program_.nominal[i];
    if (!(std::abs(x[i] - x_[i]) <= part * scale)) {
      return false;
    }
  }
  return true;
}

bool SimulationRun::EndStep(const StepResult& result) {
  End(ExplainEnd(result));
  RecordLast();
  return false;
}

// Records the last point reached, after the run has ended.
void SimulationRun::RecordLast() {
  if (last_row_ < t_) {
    RecordHere(LoopStart::kAccepted);
  }
}

// The state whose derivative is finite but changes without bound.
std::optional<std::size_t> SimulationRun::FindSteep(double t,
                                                    std::span<const double> x) {
  if (!ode_.has_jacobian()) {
    return std::nullopt;
  }
  const SparsityPattern& pattern = *ode_.jacobian_pattern();
  std::vector<double> values(pattern.row_indices.size());
  ode_.Jacobian(t, x, values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) {
      return static_cast<std::size_t>(pattern.row_indices[k]);
    }
  }
  values.assign(x.size(), 0);
  ode_.TimeDerivative(t, x, values);
  const auto found = std::ranges::find_if_not(
      values, [](double value) { return std::isfinite(value); });
  return found == values.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - values.begin()));
}

std::optional<Tape::Fault> SimulationRun::FaultAt(double t,
                                                  std::span<const double> x) {
  static_cast<void>(ode_.Evaluate(t, x));
  return FindFirstFault(machine_, SectionsOf(program_, program_.derivatives));
}

// The rate, along the solution, of the operand that is outside of its
// function's domain at (t, x), where it leaves the domain; 0 if it is not known
// to leave it.
double SimulationRun::SpeedOut(double t, std::span<const double> x) {
  constexpr double kShort = 1e-9;    // Relative to the run.
  constexpr int kMostHalvings = 60;  // Up to rounding.
  constexpr int kMostDoublings = 60;
  const std::vector<double> begin(x_.begin(), x_.begin() + ode_.dimension());
  std::vector<double> edge = begin;
  std::vector<double> dx(edge.size());
  std::vector<double> point(edge.size());
  const auto between = [&](double part) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = std::lerp(begin[i], x[i], part);
    }
    return std::lerp(t_, t, part);
  };
  double inside = 0;
  double outside = 1;
  for (int k = 0; k < kMostHalvings; ++k) {
    const double middle = inside + (outside - inside) / 2;
    const double at = between(middle);
    (FaultAt(at, point) ? outside : inside) = middle;
  }
  const double t_edge = between(inside);
  edge = point;
  if (ode_.DerivativeInMemory(t_edge, edge, dx) != Evaluation::kOk ||
      !AllFinite(dx)) {
    return 0;
  }
  const auto beyond = [&](double h) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = edge[i] + h * dx[i];
    }
    return FaultAt(t_edge + h, point);
  };
  double h = kShort * (options_.stop - options_.start);
  for (int k = 0; k < kMostDoublings; ++k) {
    const auto near = beyond(h);
    const auto far = beyond(2 * h);
    if (near && far && near->node == far->node) {
      return (far->operands[0] - near->operands[0]) / h;
    }
    h *= 2;
  }
  return 0;
}

// Explains why the derivatives cannot be evaluated there, if they cannot. An
// operand outside of its domain by no more than the error of steps has not left
// it for good.
std::optional<Explanation> SimulationRun::ExplainPoint(
    double t, std::span<const double> x) {
  constexpr double kError = 1e-5;
  std::optional<Explanation> why;
  if (const auto failure = ode_.Evaluate(t, x)) {
    why = ExplainFailure(machine_, *failure);
  } else if (const auto scalar = recorder_.FindNotFinite(machine_.memory())) {
    why = ExplainNotFinite(
        machine_, SectionsOf(program_, program_.derivatives), scalar);
  }
  if (why && !why->outside.empty() && !is_sliding()) {
    const double speed = SpeedOut(t, x);
    if (std::abs(speed) * (options_.stop - options_.start) > kError) {
      ExplainEndOfSolution(speed, *why);
    }
  }
  return why;
}

Explanation SimulationRun::ExplainEnd(const StepResult& result) {
  if (!machine_.goes_on()) {
    return {.outcome = RunOutcome::kInterrupted, .message = {}};
  }
  double t = t_;
  std::vector<double> x = x_;
  if (ode_.has_failed() && result.outcome != StepOutcome::kStepLimit) {
    t = ode_.failed_t();
    x.assign(ode_.failed_x().begin(), ode_.failed_x().end());
    if (auto why = ExplainPoint(t, x)) {
      return *why;
    }
  }
  const bool may_be_steep = result.outcome == StepOutcome::kNotFinite ||
                            result.outcome == StepOutcome::kEvaluationFailed ||
                            result.outcome == StepOutcome::kNoConvergence;
  if (const auto state = may_be_steep ? FindSteep(t, x) : std::nullopt) {
    return ExplainSteep(program_, *state, t, integrator()->statistics().method);
  }
  return ExplainStep(
      program_, result, t_, integrator()->statistics().last_step);
}

RunResult SimulationRun::Finish() {
  Terminate();
  if (NativeCode* const native = machine_.sections().native();
      native != nullptr && integrator_ != nullptr) {
    native->AddEvaluations(
        static_cast<std::uint64_t>(integrator_->statistics().rhs_evaluations));
  }
  Trajectory trajectory = TakeRecorded();
  Summary summary = MakeSummary(trajectory);
  return {.trajectory = std::move(trajectory),
          .events = TakeEvents(),
          .summary = std::move(summary)};
}

// Ends the run for a reason; always returns false. The first reason counts.
// After somebody has asked for an end, that is the reason of all failures.
bool SimulationRun::End(const Explanation& why) {
  if (summary_.outcome == RunOutcome::kCompleted &&
      (why.outcome == RunOutcome::kInterrupted || !machine_.goes_on())) {
    summary_.outcome = RunOutcome::kInterrupted;
    summary_.message = fmt::format("interrupted at t = {:.6g} s", t_);
    machine_.IgnoreAttendant();
  } else if (summary_.outcome == RunOutcome::kCompleted) {
    summary_.outcome = why.outcome;
    summary_.message = why.message;
    summary_.diagnostics.insert(summary_.diagnostics.end(),
                                why.diagnostics.begin(),
                                why.diagnostics.end());
  }
  return false;
}

Summary SimulationRun::MakeSummary(const Trajectory& trajectory) const {
  Summary summary = summary_;
  std::ranges::move(WarnOfRanges(program_,
                                 recorder_.layout(),
                                 machine_.memory(),
                                 trajectory,
                                 options_),
                    std::back_inserter(summary.diagnostics));
  std::ranges::move(WarnOfFreedom(machine_),
                    std::back_inserter(summary.diagnostics));
  summary.end_time =
      summary.completed() ? t_ : std::max(last_row_, options_.start);
  summary.events = static_cast<std::int64_t>(events_.notes().size());
  summary.loop_iterations = machine_.loop_iterations();
  if (integrator_ == nullptr) {
    return summary;
  }
  const bool is_numeric = summary.outcome == RunOutcome::kNotFinite ||
                          summary.outcome == RunOutcome::kStepTooSmall ||
                          summary.outcome == RunOutcome::kNoConvergence;
  if (is_numeric && sensitivities_ == nullptr &&
      !HasFixedStep(options_.method)) {
    std::ranges::move(
        NoteSmallStates(program_,
                        integrator_->sizes().largest(),
                        AbsoluteTolerances(plan_.solver, states().size())),
        std::back_inserter(summary.diagnostics));
  }
  const IntegratorStatistics& statistics = integrator_->statistics();
  summary.solver = statistics.method;
  summary.switches.assign(integrator_->switches().begin(),
                          integrator_->switches().end());
  summary.steps = statistics.steps;
  summary.rejected_steps = statistics.rejected_steps;
  summary.rhs_evaluations = statistics.rhs_evaluations;
  summary.jacobian_evaluations = statistics.jacobian_evaluations;
  if (sliding_integrator_ != nullptr) {
    const IntegratorStatistics& sliding = sliding_integrator_->statistics();
    summary.steps += sliding.steps;
    summary.rejected_steps += sliding.rejected_steps;
    summary.rhs_evaluations += sliding.rhs_evaluations;
    summary.jacobian_evaluations += sliding.jacobian_evaluations;
  }
  return summary;
}

}  // namespace orrery::internal
