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
#include "orrery/sim/internal/event_engine.h"
#include "orrery/sim/internal/event_pace.h"
#include "orrery/sim/internal/explain.h"
#include "orrery/sim/internal/explain_events.h"
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
        events_(machine_, inputs_, options.max_consecutive_events),
        pace_(options.max_consecutive_events),
        ode_(machine_, inputs_),
        t_(options_.start),
        x_(program.state_slots.size()),
        derivative_sections_(SectionsOf(program, program.derivatives)),
        all_sections_(derivative_sections_) {
    const auto outputs = SectionsOf(program, program.outputs);
    all_sections_.insert(all_sections_.end(), outputs.begin(), outputs.end());
    const auto discrete = SectionsOf(program, program.events.schedule);
    all_sections_.insert(all_sections_.end(), discrete.begin(), discrete.end());
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
    if (!Take(events_.Initialize(t_))) {
      return false;
    }
    const double span = options_.stop - options_.start;
    if (auto failure = machine_.delays().Start(
            t_, span, {options_.tolerance, options_.absolute_tolerance})) {
      return End(ExplainFailure(machine_, *failure));
    }
    machine_.GetStates(x_);
    if (!RecordHere(LoopStart::kMemory)) {
      return false;
    }
    return events_.is_empty() || HandleEvent();
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

  // The run -------------------------------------------------------------------

  void Integrate() {
    grid_.SkipTo(t_);
    while (t_ < options_.stop) {
      const double change = std::min(NextTime(), inputs_.next_jump());
      const double end = std::min(change, options_.stop);
      if (!RunPiece(end)) {
        return;
      }
      if (t_ < end) {  // An event brought the next one forward.
        continue;
      }
      if (change <= end && !HandleEvent()) {
        return;
      }
      if (last_row_ != t_ && !RecordHere(LoopStart::kAccepted)) {
        return;
      }
      grid_.SkipTo(end);
    }
    if (!events_.is_empty()) {
      HandleEvent(&EventEngine::RunTerminal);
    }
  }

  // The next known time of an event but for jumps of inputs.
  [[nodiscard]] double NextTime() {
    return std::min(events_.next_time(), machine_.delays().next_time());
  }

  // The event at t_: its left and its right limit are recorded if it shows in
  // what is recorded.
  bool HandleEvent(
      EventOutcome (EventEngine::*run)(double) = &EventEngine::Run) {
    if (!Evaluate(t_, x_, LoopStart::kAccepted)) {
      return false;
    }
    recorder_.Keep(machine_.memory());
    if (inputs_.next_jump() <= t_) {
      inputs_.GoTo(t_);
      inputs_.Apply(t_, machine_.memory());
      needs_restart_ = true;
    }
    machine_.ForgetMatrices();
    if (auto failure = machine_.delays().BeginEvent(t_)) {
      return End(ExplainFailure(machine_, *failure));
    }
    const EventOutcome outcome =
        events_.is_empty() ? EventOutcome{} : (events_.*run)(t_);
    if (!outcome.is_done() && outcome.kind != EventOutcome::Kind::kTerminated) {
      return Take(outcome);
    }
    needs_restart_ = needs_restart_ || outcome.restarts;
    machine_.GetStates(x_);
    if (!Evaluate(t_, x_, LoopStart::kMemory)) {
      return false;
    }
    machine_.AcceptLoops();
    needs_restart_ |= machine_.delays().EndEvent(t_, needs_restart_);
    if (recorder_.DiffersFromKept(machine_.memory())) {
      if (last_row_ != t_) {
        recorder_.AppendKept(t_);
      }
      recorder_.Append(t_, machine_.memory());
      last_row_ = t_;
    }
    return Take(outcome);
  }

  // Goes on unless the outcome ends the run.
  bool Take(const EventOutcome& outcome) {
    return outcome.is_done() ||
           End(ExplainEvent(machine_, events_, outcome, t_));
  }

  // Integrates to `end`, which is hit exactly, or to an event before it that
  // sets the time of another one before it; rows within.
  bool RunPiece(double end) {
    while (end - t_ > Rounding(end)) {
      if (needs_restart_ && integrator_ != nullptr) {
        integrator_->Restart(t_, x_);
      }
      needs_restart_ = false;
      const double node = inputs_.NextNode(t_ + Rounding(t_));
      if (!Step(end - node > Rounding(end) ? node : end, end)) {
        return false;
      }
      if (NextTime() < end) {
        return true;
      }
    }
    t_ = end;
    return true;
  }

  // One step towards `limit` in the piece that ends at `end`, or less where an
  // event makes the integration begin anew.
  bool Step(double limit, double end) {
    limit = std::min(limit, machine_.delays().StepLimit(t_));
    double reached = limit;
    if (integrator_ != nullptr) {
      const StepResult result = integrator_->Step(limit);
      if (!result.stepped()) {
        return EndStep(result);
      }
      reached = integrator_->t();
      ode_.ForgetFailure();
    } else if (events_.has_relations()) {
      reached = std::min(limit, t_ + options_.max_step);
    } else {
      reached = std::min(limit, grid_.next());
    }
    if (!machine_.delays().empty() &&
        !machine_.delays().Confirms(dense(), reached, inputs_)) {
      needs_restart_ = true;
      return true;
    }
    if (events_.has_relations() && !PassChanges(reached, end)) {
      return false;
    }
    if (needs_restart_) {
      return true;
    }
    t_ = reached;
    if (integrator_ != nullptr) {
      std::ranges::copy(integrator_->x(), x_.begin());
      ode_.Accept(t_);
    }
    return RecordDelays() && EmitRows(end) && Observe();
  }

  // What delays will look back to, up to t_.
  bool RecordDelays() {
    if (machine_.delays().empty()) {
      return true;
    }
    const auto failure = machine_.delays().Record(dense(), t_, inputs_);
    return !failure || End(ExplainFailure(machine_, *failure));
  }

  // The events where relations change before or at `reached`, up to one after
  // which the step does not count any more.
  bool PassChanges(double reached, double end) {
    double begin = t_;
    while (begin < reached && !needs_restart_) {
      const auto change = events_.FirstChange(dense(), begin, reached);
      if (!change) {
        return true;
      }
      begin = *change;
      t_ = begin;
      StatesAt(t_, x_);
      if (!RecordDelays() || !EmitRows(end) || !HandleEvent() || !Observe()) {
        return false;
      }
      grid_.SkipTo(t_);
      if (!needs_restart_) {
        needs_restart_ = NextTime() < reached;
        continue;
      }
      if (const auto trouble = pace_.Add(t_)) {
        return End(ExplainPace(machine_, events_, *trouble, t_));
      }
    }
    return true;
  }

  const DenseOutput& dense() {
    return integrator_ == nullptr ? no_states_ : integrator_->dense();
  }

  void StatesAt(double t, std::span<double> x) {
    if (integrator_ == nullptr) {
      return;
    }
    if (t == integrator_->t()) {
      std::ranges::copy(integrator_->x(), x.begin());
    } else {
      integrator_->dense().Evaluate(t, x);
    }
  }

  // The rows before t_, and that at t_ if it is not the piece's end.
  bool EmitRows(double end) {
    while (grid_.next() < t_ - Rounding(t_)) {
      const double t = grid_.next();
      StatesAt(t, x_at_row());
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
    if (!Evaluate(t, x, start)) {
      return false;
    }
    if (t == t_) {
      machine_.AcceptLoops();
    }
    recorder_.Append(t, machine_.memory());
    last_row_ = t;
    return true;
  }

  // Leaves all values at a time between events in memory.
  bool Evaluate(double t, std::span<const double> x, LoopStart start) {
    machine_.set_t(t);
    machine_.SetStates(x);
    inputs_.Apply(t, machine_.memory());
    if (const auto failure = machine_.ApplyDelays()) {
      return End(ExplainFailure(machine_, *failure));
    }
    for (const Schedule* schedule :
         {&program_.derivatives, &program_.outputs}) {
      if (const auto failure = machine_.Run(*schedule, start)) {
        return End(ExplainFailure(machine_, *failure));
      }
    }
    if (const auto scalar = recorder_.FindNotFinite(machine_.memory())) {
      return End(ExplainNotFinite(machine_, all_sections_, scalar));
    }
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
  EventEngine events_;
  EventPace pace_;
  ProgramOde ode_;
  std::unique_ptr<TimeIntegrator> integrator_;  // Null without states.
  Summary summary_;
  double t_;
  bool needs_restart_ = true;  // The equations are not what they were.
  DenseOutput no_states_;
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
    case RunOutcome::kTerminated:
      return "terminated";
    case RunOutcome::kTooManyEvents:
      return "too many events";
    case RunOutcome::kBadClock:
      return "bad clock";
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
