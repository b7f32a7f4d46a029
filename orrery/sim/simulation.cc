#include "orrery/sim/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/sim/internal/explain.h"
#include "orrery/sim/internal/input_signals.h"
#include "orrery/sim/internal/machine.h"
#include "orrery/sim/internal/program_dae.h"
#include "orrery/sim/internal/program_ode.h"
#include "orrery/sim/internal/recorder.h"
#include "orrery/sim/internal/rounding.h"
#include "orrery/sim/internal/settings.h"
#include "orrery/sim/internal/start_checks.h"
#include "orrery/sim/internal/time_grid.h"

namespace orrery {
namespace internal {
namespace {

using LoopStart = Machine::LoopStart;

// More rows than this are not reserved beforehand.
constexpr std::size_t kMaxReserved = 100'000;

// More recorded numbers than this (4 GB) are surely a mistyped interval.
constexpr double kMaxNumbers = 5e8;

// One run, from the initial values to its end.
class SimulationRun {
 public:
  SimulationRun(const Program& program,
                const SimulationOptions& options,
                const Observer& observer)
      : program_(program),
        observer_(observer),
        options_(Resolve(options, program.experiment)),
        machine_(program),
        inputs_(program, options.inputs),
        settings_(program, options.settings, inputs_),
        recorder_(program, options.record),
        grid_(options_.start,
              options_.stop,
              options_.interval,
              options.output_times),
        ode_(machine_, inputs_),
        t_(options_.start),
        x_(program.state_slots.size()),
        derivative_sections_(SectionsOf(program, program.derivatives)),
        all_sections_(derivative_sections_) {
    const auto outputs = SectionsOf(program, program.outputs);
    all_sections_.insert(all_sections_.end(), outputs.begin(), outputs.end());
    if (!x_.empty()) {
      integrator_ = ForStates(ForSolver(options.max_steps));
    }
    CheckSize();
    recorder_.Reserve(std::min(grid_.size_estimate(), kMaxReserved));
  }

  RunResult Run() {
    summary_.start = options_.start;
    summary_.stop = options_.stop;
    WarnOfMissingInputs();
    if (Initialize()) {
      Integrate();
    }
    RunResult result;
    FinishSummary();
    result.trajectory = recorder_.Take(machine_.memory());
    result.summary = std::move(summary_);
    return result;
  }

 private:
  [[nodiscard]] SolverOptions ForSolver(std::int64_t max_steps) const {
    SolverOptions solver;
    solver.relative_tolerance = options_.tolerance;
    solver.absolute_tolerances.clear();
    for (const double nominal : program_.nominal) {
      solver.absolute_tolerances.push_back(options_.absolute_tolerance *
                                           nominal);
    }
    solver.max_steps = max_steps;
    if (HasFixedStep(options_.method)) {
      solver.step = options_.step;
    } else {
      solver.max_step = options_.max_step;
    }
    return solver;
  }

  [[nodiscard]] std::unique_ptr<TimeIntegrator> ForStates(
      const SolverOptions& solver) {
    if (options_.method == Method::kIda && HasImplicitForm(program_)) {
      return MakeImplicitIntegrator(
          machine_, inputs_, ode_, solver, options_.absolute_tolerance);
    }
    return MakeIntegrator(options_.method, ode_, solver);
  }

  void CheckSize() const {
    const double numbers = static_cast<double>(grid_.size_estimate()) *
                           static_cast<double>(recorder_.row_size());
    if (numbers > kMaxNumbers) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot simulate: {} rows of {} numbers do not "
                              "fit in memory; choose a longer interval than "
                              "{} s or record less",
                              grid_.size_estimate(),
                              recorder_.row_size(),
                              options_.interval));
    }
  }

  void WarnOfMissingInputs() {
    for (std::size_t i = 0; i < program_.input_slots.size(); ++i) {
      const std::uint32_t slot = program_.input_slots[i];
      if (program_.input_has_default[i] == 0 && !inputs_.Gives(slot) &&
          !settings_.Gives(slot)) {
        summary_.diagnostics.push_back(
            MakeDiagnostic(Severity::kWarning,
                           {},
                           fmt::format("input '{}' is not given; {} is used",
                                       program_.input_names[i],
                                       machine_.memory()[slot]),
                           "set it, or give a table of inputs"));
      }
    }
  }

  // The start -----------------------------------------------------------------

  bool Initialize() {
    machine_.set_t(t_);
    if (!PrepareValues()) {
      return false;
    }
    machine_.ForgetMatrices();
    inputs_.GoTo(t_);
    inputs_.Apply(t_, machine_.memory());
    for (const ScheduleStep& step : program_.initialization) {
      if (const auto failure =
              machine_.Run(std::span(&step, 1), LoopStart::kMemory)) {
        return End(ExplainFailure(machine_, *failure));
      }
      SetRelations();
    }
    SetRelations();
    machine_.GetStates(x_);
    if (!RecordHere(LoopStart::kMemory)) {
      return false;
    }
    if (PassThresholds(t_)) {
      return RecordHere(LoopStart::kMemory);
    }
    return true;
  }

  // Parameters and start values.
  bool PrepareValues() {
    summary_.diagnostics.insert(summary_.diagnostics.end(),
                                settings_.warnings().begin(),
                                settings_.warnings().end());
    auto section = settings_.ApplyParameters(machine_);
    if (!section) {
      section = settings_.ApplyStarts(machine_);
    }
    if (section) {
      return End(ExplainNotFinite(machine_, std::span(&*section, 1), {}));
    }
    const auto refusal = CheckStart(machine_, settings_);
    return !refusal || End(*refusal);
  }

  // The truth of all time relations at t_ itself.
  void SetRelations() {
    for (const TimeRelation& relation : program_.time_relations) {
      const double threshold = machine_.memory()[relation.threshold_slot];
      const bool holds = relation.is_strict ? t_ > threshold : t_ >= threshold;
      machine_.memory()[relation.slot] = holds ? 1 : 0;
    }
  }

  // Turns true what holds just after `t`. Returns whether anything changed.
  bool PassThresholds(double t) {
    bool changed = false;
    for (const TimeRelation& relation : program_.time_relations) {
      double& truth = machine_.memory()[relation.slot];
      if (truth == 0 && machine_.memory()[relation.threshold_slot] <= t) {
        truth = 1;
        changed = true;
      }
    }
    return changed;
  }

  [[nodiscard]] double NextThreshold() const {
    double next = std::numeric_limits<double>::infinity();
    for (const TimeRelation& relation : program_.time_relations) {
      if (machine_.memory()[relation.slot] == 0) {
        next = std::min(next, machine_.memory()[relation.threshold_slot]);
      }
    }
    return next;
  }

  // The run -------------------------------------------------------------------

  void Integrate() {
    grid_.SkipTo(t_);
    while (t_ < options_.stop) {
      const double change = std::min(NextThreshold(), inputs_.next_jump());
      const double end = std::min(change, options_.stop);
      if (!RunPiece(end) || !RecordHere(LoopStart::kAccepted)) {
        return;
      }
      grid_.SkipTo(end);
      if (change <= end && !Change()) {
        return;
      }
    }
  }

  // What is known to change at t_ changes; the right limit is recorded.
  bool Change() {
    bool changed = PassThresholds(t_);
    if (inputs_.next_jump() <= t_) {
      inputs_.GoTo(t_);
      changed = true;
    }
    if (!changed) {
      return true;
    }
    machine_.ForgetMatrices();
    return RecordHere(LoopStart::kMemory);
  }

  // Integrates smooth equations to `end`, which is hit exactly; rows within.
  bool RunPiece(double end) {
    if (integrator_ != nullptr && end - t_ > Rounding(end)) {
      integrator_->Restart(t_, x_);
    }
    while (end - t_ > Rounding(end)) {
      const double node = inputs_.NextNode(t_ + Rounding(t_));
      if (!Step(end - node > Rounding(end) ? node : end, end)) {
        return false;
      }
    }
    t_ = end;
    return true;
  }

  // One step towards `limit` in the piece that ends at `end`.
  bool Step(double limit, double end) {
    if (integrator_ == nullptr) {
      t_ = std::min(limit, grid_.next());
    } else {
      const StepResult result = integrator_->Step(limit);
      if (!result.stepped()) {
        return EndStep(result);
      }
      t_ = integrator_->t();
      std::ranges::copy(integrator_->x(), x_.begin());
      ode_.Accept(t_);
      ode_.ForgetFailure();
    }
    return EmitRows(end) && Observe();
  }

  // The rows of the last step but the one at the piece's end.
  bool EmitRows(double end) {
    while (grid_.next() < t_ - Rounding(t_)) {
      const double t = grid_.next();
      integrator_->dense().Evaluate(t, x_at_row());
      if (!Record(t, x_row_, LoopStart::kAccepted)) {
        return false;
      }
      grid_.SkipTo(t);
    }
    const bool wanted = grid_.next() <= t_ || options_.interval == 0;
    if (end - t_ > Rounding(end) && wanted) {
      grid_.SkipTo(t_);
      return RecordHere(LoopStart::kAccepted);
    }
    return true;
  }

  std::span<double> x_at_row() {
    x_row_.resize(x_.size());
    return x_row_;
  }

  bool Observe() {
    if (!observer_) {
      return true;
    }
    const bool goes_on =
        observer_({.start = options_.start,
                   .t = t_,
                   .stop = options_.stop,
                   .steps = integrator_ ? integrator_->statistics().steps : 0});
    if (!goes_on) {
      End({.outcome = RunOutcome::kInterrupted,
           .message = fmt::format("interrupted at t = {:.6g} s", t_)});
      RecordLast();
    }
    return goes_on;
  }

  // Rows ----------------------------------------------------------------------

  bool RecordHere(LoopStart start) { return Record(t_, x_, start); }

  bool Record(double t, std::span<const double> x, LoopStart start) {
    machine_.set_t(t);
    machine_.SetStates(x);
    inputs_.Apply(t, machine_.memory());
    for (const Schedule* schedule :
         {&program_.derivatives, &program_.outputs}) {
      if (const auto failure = machine_.Run(*schedule, start)) {
        return End(ExplainFailure(machine_, *failure));
      }
    }
    if (const auto scalar = recorder_.FindNotFinite(machine_.memory())) {
      return End(ExplainNotFinite(machine_, all_sections_, scalar));
    }
    if (t == t_) {
      machine_.AcceptLoops();
    }
    recorder_.Append(t, machine_.memory());
    last_row_ = t;
    return true;
  }

  // The end -------------------------------------------------------------------

  bool EndStep(const StepResult& result) {
    End(ExplainEnd(result));
    RecordLast();
    return false;
  }

  // The last point reached, after the run has ended.
  void RecordLast() {
    if (last_row_ < t_) {
      RecordHere(LoopStart::kAccepted);
    }
  }

  Explanation ExplainEnd(const StepResult& result) {
    if (ode_.has_failed() && result.outcome != StepOutcome::kStepLimit) {
      const double t = ode_.failed_t();
      const std::vector<double> x(ode_.failed_x().begin(),
                                  ode_.failed_x().end());
      if (const auto failure = ode_.Evaluate(t, x)) {
        return ExplainFailure(machine_, *failure);
      }
      if (const auto scalar = recorder_.FindNotFinite(machine_.memory())) {
        return ExplainNotFinite(machine_, derivative_sections_, scalar);
      }
    }
    return ExplainStep(
        program_, result, t_, integrator_->statistics().last_step);
  }

  // Ends the run for a reason; always false. The first reason counts.
  bool End(const Explanation& why) {
    if (summary_.outcome == RunOutcome::kCompleted) {
      summary_.outcome = why.outcome;
      summary_.message = why.message;
      summary_.diagnostics.insert(summary_.diagnostics.end(),
                                  why.diagnostics.begin(),
                                  why.diagnostics.end());
    }
    return false;
  }

  void FinishSummary() {
    summary_.end_time =
        summary_.completed() ? t_ : std::max(last_row_, options_.start);
    summary_.loop_iterations = machine_.loop_iterations();
    if (integrator_ == nullptr) {
      return;
    }
    const IntegratorStatistics& statistics = integrator_->statistics();
    summary_.solver = statistics.method;
    summary_.switches.assign(integrator_->switches().begin(),
                             integrator_->switches().end());
    summary_.steps = statistics.steps;
    summary_.rejected_steps = statistics.rejected_steps;
    summary_.rhs_evaluations = statistics.rhs_evaluations;
    summary_.jacobian_evaluations = statistics.jacobian_evaluations;
  }

  const Program& program_;
  const Observer& observer_;
  ResolvedOptions options_;
  Machine machine_;
  InputSignals inputs_;
  Settings settings_;
  Recorder recorder_;
  TimeGrid grid_;
  ProgramOde ode_;
  std::unique_ptr<TimeIntegrator> integrator_;  // Null without states.
  Summary summary_;
  double t_;
  std::vector<double> x_;
  std::vector<double> x_row_;
  double last_row_ = -std::numeric_limits<double>::infinity();
  std::vector<std::size_t> derivative_sections_;
  std::vector<std::size_t> all_sections_;
};

}  // namespace
}  // namespace internal

std::string_view Describe(RunOutcome outcome) noexcept {
  switch (outcome) {
    case RunOutcome::kCompleted:
      return "completed";
    case RunOutcome::kInterrupted:
      return "interrupted";
    case RunOutcome::kNotFinite:
      return "not finite";
    case RunOutcome::kLoopUnsolved:
      return "loop unsolved";
    case RunOutcome::kStepTooSmall:
      return "step too small";
    case RunOutcome::kNoConvergence:
      return "no convergence";
    case RunOutcome::kStepLimit:
      return "step limit";
    case RunOutcome::kAssertion:
      return "assertion";
  }
  return "";
}

RunResult::operator Trajectory() const {
  if (!summary.completed()) {
    if (summary.diagnostics.empty()) {
      throw Error(ErrorCode::kInvalidModel, summary.message);
    }
    throw Error(ErrorCode::kInvalidModel, summary.diagnostics);
  }
  return trajectory;
}

RunResult Simulate(const std::shared_ptr<const Program>& program,
                   const SimulationOptions& options,
                   const Observer& observer) {
  ORRERY_CHECK(program != nullptr);
  return internal::SimulationRun(*program, options, observer).Run();
}

}  // namespace orrery
