#include "orrery/sim/run/run_end.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/numbers/all_finite.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/explain/explain_loops.h"
#include "orrery/sim/explain/small_states.h"
#include "orrery/sim/record/range_warnings.h"
#include "orrery/sim/run/run_rows.h"

namespace orrery::sim::internal {
namespace {

// The state whose derivative is finite but changes without bound.
std::optional<std::size_t> FindSteep(RunState& run,
                                     double t,
                                     std::span<const double> x) {
  if (!run.ode.has_jacobian()) {
    return std::nullopt;
  }
  const SparsityPattern& pattern = *run.ode.jacobian_pattern();
  std::vector<double> values(pattern.row_indices.size());
  run.ode.Jacobian(t, x, values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) {
      return static_cast<std::size_t>(pattern.row_indices[k]);
    }
  }
  values.assign(x.size(), 0);
  run.ode.TimeDerivative(t, x, values);
  const auto found = std::ranges::find_if_not(
      values, [](double value) { return std::isfinite(value); });
  return found == values.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - values.begin()));
}

std::optional<Tape::Fault> FaultAt(RunState& run,
                                   double t,
                                   std::span<const double> x) {
  static_cast<void>(run.ode.Evaluate(t, x));
  return FindFirstFault(run.evaluator,
                        SectionsOf(run.program, run.program.derivatives));
}

// The rate, along the solution, of the operand that is outside of its
// function's domain at (t, x), where it leaves the domain; 0 if it is not known
// to leave it.
double SpeedOut(RunState& run, double t, std::span<const double> x) {
  constexpr double kShort = 1e-9;    // Relative to the run.
  constexpr int kMostHalvings = 60;  // Up to rounding.
  constexpr int kMostDoublings = 60;
  const std::vector<double> begin(run.x.begin(),
                                  run.x.begin() + run.ode.dimension());
  std::vector<double> edge = begin;
  std::vector<double> dx(edge.size());
  std::vector<double> point(edge.size());
  const auto between = [&](double part) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = std::lerp(begin[i], x[i], part);
    }
    return std::lerp(run.t, t, part);
  };
  double inside = 0;
  double outside = 1;
  for (int k = 0; k < kMostHalvings; ++k) {
    const double middle = inside + (outside - inside) / 2;
    const double at = between(middle);
    (FaultAt(run, at, point) ? outside : inside) = middle;
  }
  const double t_edge = between(inside);
  edge = point;
  if (run.ode.DerivativeInMemory(t_edge, edge, dx) != Evaluation::kOk ||
      !AllFinite(dx)) {
    return 0;
  }
  const auto beyond = [&](double h) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = edge[i] + h * dx[i];
    }
    return FaultAt(run, t_edge + h, point);
  };
  double h = kShort * (run.options.stop - run.options.start);
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
std::optional<Explanation> ExplainPoint(RunState& run,
                                        double t,
                                        std::span<const double> x) {
  constexpr double kError = 1e-5;
  std::optional<Explanation> why;
  if (const auto failure = run.ode.Evaluate(t, x)) {
    why = ExplainFailure(run.evaluator, *failure);
  } else if (const auto scalar =
                 run.rows.recorder.FindNotFinite(run.evaluator.memory())) {
    why = ExplainNotFinite(run.evaluator,
                           SectionsOf(run.program, run.program.derivatives),
                           scalar);
  }
  if (why && !why->outside.empty() && !run.is_sliding()) {
    const double speed = SpeedOut(run, t, x);
    if (std::abs(speed) * (run.options.stop - run.options.start) > kError) {
      ExplainEndOfSolution(speed, *why);
    }
  }
  return why;
}

Explanation ExplainEnd(RunState& run, const StepResult& result) {
  if (!run.evaluator.goes_on()) {
    return {.outcome = RunOutcome::kInterrupted, .message = {}};
  }
  double t = run.t;
  std::vector<double> x = run.x;
  if (run.ode.has_failed() && result.outcome != StepOutcome::kStepLimit) {
    t = run.ode.failed_t();
    x.assign(run.ode.failed_x().begin(), run.ode.failed_x().end());
    if (auto why = ExplainPoint(run, t, x)) {
      return *why;
    }
  }
  const bool may_be_steep = result.outcome == StepOutcome::kNotFinite ||
                            result.outcome == StepOutcome::kEvaluationFailed ||
                            result.outcome == StepOutcome::kNoConvergence;
  if (const auto state = may_be_steep ? FindSteep(run, t, x) : std::nullopt) {
    return ExplainSteep(
        run.program, *state, t, run.active_integrator()->statistics().method);
  }
  return ExplainStep(run.program,
                     result,
                     run.t,
                     run.active_integrator()->statistics().last_step);
}

}  // namespace

bool EndRun(RunState& run, const Explanation& why) {
  if (run.summary.outcome == RunOutcome::kCompleted &&
      (why.outcome == RunOutcome::kInterrupted || !run.evaluator.goes_on())) {
    run.summary.outcome = RunOutcome::kInterrupted;
    run.summary.message = fmt::format("interrupted at t = {:.6g} s", run.t);
    run.evaluator.IgnoreAttendant();
  } else if (run.summary.outcome == RunOutcome::kCompleted) {
    run.summary.outcome = why.outcome;
    run.summary.message = why.message;
    run.summary.diagnostics.insert(run.summary.diagnostics.end(),
                                   why.diagnostics.begin(),
                                   why.diagnostics.end());
  }
  return false;
}

bool EndStep(RunState& run, const StepResult& result) {
  EndRun(run, ExplainEnd(run, result));
  RecordLast(run);
  return false;
}

Summary MakeSummary(const RunState& run, const Trajectory& trajectory) {
  Summary summary = run.summary;
  std::ranges::move(WarnOfRanges(run.program,
                                 run.settings,
                                 run.rows.recorder.layout(),
                                 run.evaluator.memory(),
                                 trajectory,
                                 run.options),
                    std::back_inserter(summary.diagnostics));
  std::ranges::move(WarnOfFreedom(run.evaluator),
                    std::back_inserter(summary.diagnostics));
  summary.end_time =
      summary.completed() ? run.t : std::max(run.rows.last, run.options.start);
  summary.events = static_cast<std::int64_t>(run.events.notes().size());
  summary.loop_iterations = run.evaluator.loop_iterations();
  if (run.integrator == nullptr) {
    return summary;
  }
  const bool is_numeric = summary.outcome == RunOutcome::kNotFinite ||
                          summary.outcome == RunOutcome::kStepTooSmall ||
                          summary.outcome == RunOutcome::kNoConvergence;
  if (is_numeric && run.sensitivities == nullptr &&
      !HasFixedStep(run.options.method)) {
    std::ranges::move(NoteSmallStates(run.program,
                                      run.integrator->sizes().largest(),
                                      AbsoluteTolerances(run.plan.solver,
                                                         run.states().size())),
                      std::back_inserter(summary.diagnostics));
  }
  const IntegratorStatistics& statistics = run.integrator->statistics();
  summary.solver = statistics.method;
  summary.switches.assign(run.integrator->switches().begin(),
                          run.integrator->switches().end());
  summary.steps = statistics.steps;
  summary.rejected_steps = statistics.rejected_steps;
  summary.rhs_evaluations = statistics.rhs_evaluations;
  summary.jacobian_evaluations = statistics.jacobian_evaluations;
  if (run.sliding.integrator != nullptr) {
    const IntegratorStatistics& sliding = run.sliding.integrator->statistics();
    summary.steps += sliding.steps;
    summary.rejected_steps += sliding.rejected_steps;
    summary.rhs_evaluations += sliding.rhs_evaluations;
    summary.jacobian_evaluations += sliding.jacobian_evaluations;
  }
  return summary;
}

}  // namespace orrery::sim::internal
