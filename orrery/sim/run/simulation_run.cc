#include "orrery/sim/run/simulation_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/sim/explain/start_checks.h"
#include "orrery/sim/machine/program_dae.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::internal {
namespace {

// Rows reserved for events: some leave two each.
constexpr std::size_t kRowsOfEvents = 32;

// True if anything but time changes between events.
bool Moves(const Program& program) {
  return !program.derivatives.empty() || !program.outputs.empty() ||
         !program.state_slots.empty() || !program.input_slots.empty() ||
         !program.delays.empty() || !program.events.relations.empty();
}

// Options with tolerances for the states and their sensitivities.
SolverOptions ForSolver(const RunPlan& plan, std::span<const double> scales) {
  SolverOptions solver = plan.solver;
  std::vector<double>& tolerances = solver.absolute_tolerances;
  const std::size_t num_states = plan.program.state_slots.size();
  tolerances = AbsoluteTolerances(solver, num_states);
  for (const double scale : scales) {
    for (std::size_t i = 0; i < num_states; ++i) {
      tolerances.push_back(tolerances[i] / scale);
    }
  }
  return solver;
}

}  // namespace

SimulationRun::SimulationRun(const RunPlan& plan,
                             std::span<const Setting> settings)
    : plan_(plan),
      program_(plan.program),
      options_(plan.options),
      machine_(program_, plan.code, plan.attendant),
      inputs_(plan.inputs),
      settings_(program_, settings, plan.set, inputs_),
      recorder_(program_, plan.recorded),
      grid_(plan.grid),
      step_ends_(plan.step_ends),
      bends_(plan.bends),
      events_(machine_, inputs_, plan.max_consecutive_events, plan.end),
      pace_(plan.max_consecutive_events, options_.stop - options_.start),
      ode_(machine_, inputs_),
      moves_(Moves(program_)),
      x_(program_.state_slots.size()) {
  if (plan.is_driven) {
    ode_.ExpectEvents();
  }
  if (!plan.sensitivities.empty()) {
    sensitivities_ = std::make_unique<Sensitivities>(
        machine_, ode_, inputs_, events_, plan.sensitivities, settings);
    recorder_.Follow(sensitivities_->tangents());
    x_.resize(static_cast<std::size_t>(sensitivities_->dimension()));
  }
  if (!x_.empty()) {
    integrator_ =
        sensitivities_ != nullptr
            ? MakeIntegrator(options_.method,
                             *sensitivities_,
                             ForSolver(plan, sensitivities_->scales()))
        : plan_.leaves_loops_open
            ? MakeImplicitIntegrator(machine_,
                                     inputs_,
                                     ode_,
                                     plan.solver,
                                     options_.absolute_tolerance)
            : MakeIntegrator(options_.method, ode_, plan.solver);
    if (program_.native != nullptr) {
      // Enough steps of several stages for some hundredths of a second, so that
      // observers are asked as often.
      constexpr double kInstructions = 1e6;
      const double cost = program_.native->CostOfSlopes(program_);
      integrator_->LimitAtOnce(static_cast<std::int64_t>(
          std::max(1.0, kInstructions / std::max(cost, 1.0))));
    }
  }
  PrepareConstraints();
  BeginCourse();
}

bool SimulationRun::Renew(std::span<const Setting> settings) {
  const bool is_plain = events_.is_empty() && sensitivities_ == nullptr &&
                        projection_ == nullptr && watch_ == nullptr &&
                        inputs_.driven().empty();
  if (!is_plain || !machine_.Renew() ||
      (integrator_ != nullptr && !integrator_->Renew())) {
    return false;
  }
  if (inputs_.Move()) {
    inputs_ = plan_.inputs;
  }
  settings_.Renew(settings, plan_.set, inputs_);
  ode_.ForgetFailure();
  grid_ = plan_.grid;
  step_ends_ = plan_.step_ends;
  bends_ = plan_.bends;
  rows_behind_bends_ = 0;
  BeginCourse();
  return true;
}

// Resets the progress of the run.
void SimulationRun::BeginCourse() {
  recorder_.Reserve(events_.is_empty() ? plan_.rows
                                       : std::max(plan_.rows, kRowsOfEvents));
  summary_ = {};
  summary_.start = options_.start;
  summary_.stop = options_.stop;
  t_ = options_.start;
  needs_restart_ = true;
  barrier_ = kNever;
  quiet_until_ = -kNever;
  is_settled_ = false;
  last_row_ = -std::numeric_limits<double>::infinity();
}

void SimulationRun::WarnOfMissingInputs() {
  for (std::size_t i = 0; i < program_.input_slots.size(); ++i) {
    const std::uint32_t slot = program_.input_slots[i];
    if (program_.input_has_default[i] == 0 && !inputs_.Gives(slot) &&
        !inputs_.IsDriven(slot) && !settings_.Gives(slot)) {
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

// The start -------------------------------------------------------------------

void SimulationRun::Start() {
  WarnOfMissingInputs();
  machine_.set_t(t_);
  if (!Initialize()) {
    return;
  }
  if (auto failure = machine_.delays().Start(
          t_,
          options_.stop - options_.start,
          {options_.tolerance, options_.absolute_tolerance})) {
    End(ExplainFailure(machine_, *failure));
    return;
  }
  GetStates();
  if (!RecordHere(LoopStart::kMemory)) {
    return;
  }
  if (!events_.is_empty()) {
    HandleEvent();
  }
  grid_.SkipTo(t_);
  PrepareTicks();
}

// Leaves the initial values in memory.
bool SimulationRun::Initialize() {
  const Machine::Following following = Follow();
  if (!PrepareValues()) {
    return false;
  }
  machine_.ForgetMatrices();
  machine_.NoteHeldChange();
  inputs_.GoTo(t_);
  inputs_.Apply(t_, machine_.memory());
  return Take(events_.Initialize(t_)) && StartOnConstraints();
}

// Finds parameters and start values.
bool SimulationRun::PrepareValues() {
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

// The run ---------------------------------------------------------------------

bool SimulationRun::Step(double limit) {
  if (has_ended() || t_ >= limit) {
    return false;
  }
  const double tick = events_.next_time();
  if (has_only_ticks_ && watch_ == nullptr && tick <= limit &&
      tick <= grid_.next()) {
    PassTick();
  } else {
    AdvanceTo(limit, limit);
  }
  if (has_ended() || t_ < limit) {
    return !has_ended();
  }
  RecordNow();
  return false;
}

bool SimulationRun::AdvanceTo(double limit, double foreseeable) {
  const double change = std::min(NextTime(), inputs_.next_jump());
  const double end = std::min(change, limit);
  const bool is_way_empty = !moves_ && watch_ == nullptr && grid_.next() >= end;
  if (end - t_ > Rounding(end) && !is_way_empty) {
    BeginPiece();
    is_settled_ = false;
    if (!Integrate(StepLimit(change, std::max(limit, foreseeable)), end)) {
      return false;
    }
    if (t_ >= barrier_) {
      barrier_ = kNever;
    }
    // An event in the step may have brought the next one forward.
    if (end - t_ > Rounding(end)) {
      return t_ < stop_;
    }
  }
  is_settled_ = is_settled_ && t_ == end;
  t_ = end;
  const bool has_event = change <= end && t_ < leave_from_;
  if (has_event && !HandleEvent()) {
    return false;
  }
  const bool is_step_end = bends_.AreFollowed() ||
                           (options_.interval == 0 && integrator_ != nullptr &&
                            integrator()->t() - t_ <= Rounding(t_));
  const bool is_row = grid_.next() - t_ <= Rounding(t_);
  if ((has_event || is_row || is_step_end) && !RecordNow()) {
    return false;
  }
  grid_.SkipTo(end);
  return t_ < std::min(limit, stop_);
}

// Restarts the integration, if needed, before it goes on.
void SimulationRun::BeginPiece() {
  if (needs_restart_ && integrator_ != nullptr) {
    integrator()->Restart(t_, x_);
    resumed_ = t_;
  }
  needs_restart_ = false;
}

// Limit on the next step, at most `limit`: up to there the equations are smooth
// and can be evaluated.
double SimulationRun::StepLimit(double change, double limit) {
  step_ends_.SkipTo(t_);
  const double node =
      std::min(inputs_.NextNode(t_ + Rounding(t_)), step_ends_.next());
  const double smooth = std::min(change, limit);
  return std::min({smooth - node > Rounding(smooth) ? node : smooth,
                   barrier_,
                   machine_.delays().StepLimit(t_, inputs_)});
}

std::optional<SimulationRun::Way> SimulationRun::WayAhead(double limit) {
  const double change = std::min(NextTime(), inputs_.next_jump());
  const double end = std::min(change, limit);
  if (has_ended() || integrator_ == nullptr || is_sliding() ||
      sensitivities_ != nullptr || projection_ != nullptr ||
      end - t_ <= Rounding(end)) {
    return std::nullopt;
  }
  BeginPiece();
  if (integrator_->t() > t_) {
    return std::nullopt;
  }
  return Way{.integrator = *integrator_,
             .until = NextLook(end),
             .limit = StepLimit(change, limit)};
}

bool SimulationRun::RecordNow() {
  return last_row_ == t_ || RecordHere(LoopStart::kAccepted);
}

// A run that the model terminates has come to a good end, too.
void SimulationRun::Terminate() {
  const bool is_good =
      !has_ended() || summary_.outcome == RunOutcome::kTerminated;
  if (is_good && !events_.is_empty()) {
    HandleEvent(&EventEngine::RunTerminal);
  }
}

void SimulationRun::Interrupt() {
  End({.outcome = RunOutcome::kInterrupted, .message = {}});
  RecordLast();
}

// Takes one step towards `limit` in the piece that ends at `end`, or less if an
// event makes the integration begin anew.
bool SimulationRun::Integrate(double limit, double end) {
  double reached = limit;
  BeginPath();
  if (integrator_ != nullptr) {
    const StepResult result = EndAtEvents(TakeStep(limit, end));
    if (!result.stepped()) {
      return PassFailure() || EndStep(result);
    }
    reached = integrator()->t();
    if (plan_.integrates_loops && !KeepLoops(reached)) {
      return RetakeForLoops(reached);
    }
  } else if (events_.has_relations() || watch_ != nullptr ||
             plan_.follows_loops) {
    reached = std::min(limit, t_ + options_.max_step);
  } else {
    reached = std::min(limit, grid_.next());
  }
  reached = std::min(reached, end);
  if (!ConfirmDelays(reached)) {
    needs_restart_ = true;  // With a shorter step.
    return true;
  }
  const bool watches = events_.has_relations() || watch_ != nullptr;
  if (watches && !PassChanges(reached, end)) {
    return false;
  }
  return needs_restart_ || (Reach(std::min(reached, stop_)) && KeepsRest() &&
                            RecordDelays() && EmitRows(end));
}

// Moves to the end of a step, or to a time within it that others have to see.
bool SimulationRun::Reach(double reached) {
  const double before = std::exchange(t_, reached);
  is_settled_ = false;
  if (integrator_ == nullptr) {
    return FollowLoops(before);
  }
  StatesAt(t_, x_);
  if (t_ < integrator()->t()) {
    needs_restart_ = is_sliding() || !machine_.delays().empty();
    return true;
  }
  if (is_sliding()) {
    return CorrectSliding();
  }
  if (starts_behind_.empty()) {
    ode_.Accept();
  } else {
    machine_.context().loop_starts = starts_behind_;
  }
  return FollowLoops(before) &&
         (needs_restart_ || projection_ == nullptr || ReturnToConstraints());
}

bool SimulationRun::ConfirmDelays(double reached) {
  return machine_.delays().empty() ||
         machine_.delays().Confirms(dense(), reached, inputs_);
}

// Records the operands of delays up to t_.
bool SimulationRun::RecordDelays() {
  if (machine_.delays().empty()) {
    return true;
  }
  const auto failure = machine_.delays().Record(dense(), t_, inputs_);
  return !failure || End(ExplainFailure(machine_, *failure));
}

double SimulationRun::FirstOfEquations(double begin, double reached) {
  if (!events_.has_relations() || reached <= quiet_until_) {
    return kNever;
  }
  if (!is_sliding()) {
    const bool is_seen = !plan_.rearms || watch_ != nullptr;
    return events_.FirstChange(dense(), begin, reached, !is_seen);
  }
  const double change = events_.FirstChange(dense(), begin, reached);
  return std::min(change,
                  motion_->FindExit(dense(), begin, std::min(change, reached)));
}

// The integrators -------------------------------------------------------------

SlidingMotion& SimulationRun::motion() {
  if (motion_ == nullptr) {
    const SolverOptions& solver = plan_.solver;
    motion_ = std::make_unique<SlidingMotion>(
        machine_,
        inputs_,
        ode_,
        events_,
        SlidingMotion::Accuracy{
            .relative = solver.relative_tolerance,
            .absolute = AbsoluteTolerances(solver, states().size())});
    const Method method = options_.method == Method::kTaylor
                              ? Method::kDormandPrince8  // It has no series.
                              : options_.method;
    sliding_integrator_ = MakeIntegrator(method, *motion_, solver);
    // The begin of the grid of a fixed step.
    sliding_integrator_->Restart(options_.start, states());
  }
  return *motion_;
}

const DenseOutput& SimulationRun::dense() {
  return integrator_ == nullptr ? no_states_ : integrator()->dense();
}

void SimulationRun::StatesAt(double t, std::span<double> x) {
  if (integrator_ == nullptr) {
    return;
  }
  if (t == integrator()->t()) {
    std::ranges::copy(integrator()->x(), x.begin());
  } else {
    integrator()->dense().Evaluate(t, x);
  }
}

}  // namespace orrery::internal
