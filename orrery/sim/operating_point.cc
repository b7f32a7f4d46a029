#include "orrery/sim/operating_point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/sim/events/event_engine.h"
#include "orrery/sim/events/explain_events.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/explain/start_checks.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/sim/machine/tangents.h"
#include "orrery/sim/motion/constraint_projection.h"
#include "orrery/symbolic/print/print.h"

namespace orrery {

namespace internal = sim::internal;

namespace {

using internal::ConstraintProjection;
using internal::EventEngine;
using internal::EventOutcome;
using internal::Explanation;
using internal::Failure;
using internal::InputSignals;
using internal::ProgramEvaluator;
using internal::Tangents;

constexpr int kMaxMicrosteps = 1000;

// Tolerances of constraints.
constexpr double kRelative = 1e-6;
constexpr double kAbsolute = 1e-9;

// The equations between events.
Schedule EquationsOf(const Program& program) {
  Schedule steps = program.derivatives;
  for (const Schedule* more :
       {&program.outputs, &program.constraints.schedule}) {
    steps.insert(steps.end(), more->begin(), more->end());
  }
  return steps;
}

// At one time, a model with delays depends on its past.
void RefuseDelays(const Program& program) {
  if (program.delays.empty()) {
    return;
  }
  const Delay& delay = program.delays.front();
  throw Error(ErrorCode::kUnsupported,
              {MakeDiagnostic(Severity::kError,
                              delay.span,
                              "cannot look at " + program.name +
                                  " at one time: it depends on its past by '" +
                                  ToText(delay.formula, 60) + "'",
                              "put a PadeDelay in place of the delay")});
}

// Code of others that moves on in steps does not tell its derivatives.
void RefuseSteps(const Program& program) {
  for (const ForeignCode& foreign : program.foreign) {
    if (foreign.model->moves_in_steps()) {
      throw Error(ErrorCode::kUnsupported,
                  "cannot look at " + program.name +
                      " at one time: " + foreign.model->name() +
                      " computes in steps of its own (Co-Simulation), and "
                      "keeps its states for itself; use it by Model Exchange");
    }
  }
}

}  // namespace

struct OperatingPoint::State {
  State(std::shared_ptr<const Program> of,
        std::span<const Setting> settings,
        std::shared_ptr<Attendant> attendant)
      : program(std::move(of)),
        equations(EquationsOf(*program)),
        evaluator(*program, CodeChoice::kAuto, std::move(attendant)),
        inputs(*program, nullptr),
        setup(*program,
              settings,
              internal::FindScalars(*program, settings),
              inputs),
        events(evaluator, inputs, kMaxMicrosteps),
        tangents(evaluator, 1) {}

  // Finds the initial values.
  void Initialize(double time) {
    evaluator.set_t(time);
    auto section = setup.ApplyParameters(evaluator);
    if (!section) {
      section = setup.ApplyStarts(evaluator);
    }
    if (section) {
      throw internal::AsError(
          internal::ExplainNotFinite(evaluator, std::span(&*section, 1), {}));
    }
    if (const auto refusal = internal::CheckStart(evaluator, setup)) {
      throw internal::AsError(*refusal);
    }
    evaluator.ForgetMatrices();
    evaluator.NoteHeldChange();
    if (!Take(events.Initialize(time))) {
      throw internal::AsError(Explain({}));
    }
    ObeyConstraints(time);
    if (!events.is_empty() && !RunEvent()) {
      throw internal::AsError(Explain({}));
    }
    evaluator.AcceptLoops();
    NoteMagnitudes();
  }

  // Takes the magnitudes of operands of relations at an event.
  void NoteMagnitudes() {
    if (!events.LookAtRelations(seen)) {
      return;
    }
    magnitudes.resize(seen.size());
    for (std::size_t k = 0; k < seen.size(); ++k) {
      magnitudes[k] = std::max(
          {magnitudes[k], std::abs(seen[k].left), std::abs(seen[k].right)});
    }
  }

  // @returns true if a run would go on.
  bool RunEvent() {
    off_constraint.reset();
    return Take(events.Run(evaluator.t())) && FollowSetStates();
  }

  // Lets the states that constraints bind to those that the event has set
  // follow.
  bool FollowSetStates() {
    const std::vector<std::size_t> set =
        internal::BoundStates(*program, events.set_slots());
    if (set.empty()) {
      return true;
    }
    constexpr double kNear = 0.05;  // Tolerances.
    std::vector<double> x(program->state_slots.size());
    evaluator.GetStates(x);
    ConstraintProjection projection = MakeProjection();
    const auto outcome = projection.ProjectSet(x, set, kNear);
    evaluator.SetStates(x);
    if (outcome == ConstraintProjection::Outcome::kFailed) {
      off_constraint = internal::ExplainSetOffConstraint(
          *program, set, projection.worst(), evaluator.t());
      return false;
    }
    return true;
  }

  ConstraintProjection MakeProjection() {
    return {evaluator,
            kRelative,
            std::vector<double>(program->state_slots.size(), kAbsolute)};
  }

  void ObeyConstraints(double time) {
    if (program->constraints.constraints.empty()) {
      return;
    }
    std::vector<double> x(program->state_slots.size());
    evaluator.GetStates(x);
    ConstraintProjection projection = MakeProjection();
    if (projection.ProjectStart(x) == ConstraintProjection::Outcome::kFailed) {
      throw internal::AsError(
          internal::ExplainStartOffConstraint(projection.worst()));
    }
    evaluator.SetStates(x);
    if (!Take(events.Initialize(time))) {
      throw internal::AsError(Explain({}));
    }
  }

  // @returns true if the run would go on.
  bool Take(const EventOutcome& outcome) {
    event = outcome;
    return outcome.is_done();
  }

  bool Evaluate() {
    event = {};
    off_constraint.reset();
    failure.reset();
    has_loop_matrices = false;
    evaluator.ForgetMatrices();
    evaluator.NoteHeldChange();
    failure = evaluator.Run(equations);
    if (failure) {
      return false;
    }
    evaluator.AcceptLoops();
    return std::ranges::all_of(program->derivatives_at, [this](Reference at) {
      return std::isfinite(evaluator.Value(at));
    });
  }

  bool Differentiate(std::uint32_t slot) {
    if (!has_loop_matrices) {
      failure = tangents.Linearize(equations);
      has_loop_matrices = !failure;
    }
    if (has_loop_matrices) {
      tangents.Clear();
      tangents.At(0, slot) = 1;
      failure = tangents.Pass(equations);
    }
    return !failure;
  }

  [[nodiscard]] Explanation Explain(
      const std::optional<NamedScalar>& quantity) {
    if (off_constraint) {
      return *off_constraint;
    }
    if (!event.is_done()) {
      return internal::ExplainEvent(evaluator, events, event, evaluator.t());
    }
    if (failure) {
      return internal::ExplainFailure(evaluator, *failure);
    }
    return internal::ExplainNotFinite(
        evaluator, internal::SectionsOf(*program, equations), quantity);
  }

  std::shared_ptr<const Program> program;
  Schedule equations;
  ProgramEvaluator evaluator;
  InputSignals inputs;
  internal::Settings setup;
  EventEngine events;
  Tangents tangents;
  EventOutcome event;                         // The last one.
  std::optional<Explanation> off_constraint;  // After it.
  std::optional<Failure> failure;
  bool has_changed = false;
  bool has_loop_matrices = false;
  std::vector<EventEngine::LookedAt> seen;  // Scratch.
  std::vector<double> magnitudes;           // By relation.
  std::optional<NameTable> names;           // Made when asked for.
};

OperatingPoint::OperatingPoint(std::shared_ptr<const Program> program,
                               double time,
                               std::span<const Setting> settings,
                               std::shared_ptr<Attendant> attendant)
    : state_(std::make_unique<State>(
          std::move(program), settings, std::move(attendant))) {
  RefuseDelays(*state_->program);
  RefuseSteps(*state_->program);
  if (!std::isfinite(time)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot find the values at {} s: give a finite "
                            "time",
                            time));
  }
  state_->Initialize(time);
}

OperatingPoint::~OperatingPoint() = default;
OperatingPoint::OperatingPoint(OperatingPoint&&) noexcept = default;
OperatingPoint& OperatingPoint::operator=(OperatingPoint&&) noexcept = default;

const Program& OperatingPoint::program() const noexcept {
  return *state_->program;
}

bool OperatingPoint::goes_on() const noexcept {
  return state_->evaluator.goes_on();
}

void OperatingPoint::Restore(const Context& context) {
  const auto& foreign = state_->program->foreign;
  if (!foreign.empty()) {
    throw Error(ErrorCode::kUnsupported,
                "cannot look at a time within a run of " +
                    foreign.front().model->name() +
                    ": the values inside of its code stay with the run; take "
                    "the start or a steady state");
  }
  state_->evaluator.Restore(context);
  state_->has_loop_matrices = false;
}

double OperatingPoint::Value(Reference at) const noexcept {
  return state_->evaluator.Value(at);
}

void OperatingPoint::Set(Reference at, double value) noexcept {
  state_->evaluator.SetValue(at, value);
}

void OperatingPoint::GetStates(std::span<double> x) const noexcept {
  state_->evaluator.GetStates(x);
}

void OperatingPoint::SetStates(std::span<const double> x) noexcept {
  state_->evaluator.SetStates(x);
}

void OperatingPoint::GetInputs(std::span<double> u) const noexcept {
  const std::span<const double> memory =
      std::as_const(state_->evaluator).memory();
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = memory[program().input_slots[i]];
  }
}

void OperatingPoint::SetInputs(std::span<const double> u) noexcept {
  for (std::size_t i = 0; i < u.size(); ++i) {
    state_->evaluator.memory()[program().input_slots[i]] = u[i];
  }
}

bool OperatingPoint::Evaluate() {
  return state_->Evaluate();
}

bool OperatingPoint::HandleEvent() {
  state_->has_changed = false;
  if (state_->events.is_empty()) {
    return Evaluate();
  }
  const std::size_t n = program().state_slots.size();
  std::vector<double> before(n);
  std::vector<double> after(n);
  GetStates(before);
  // An event may change values inside of code of others: derivatives show it.
  const bool is_foreign = !program().foreign.empty();
  std::vector<double> rates(n);
  if (is_foreign && Evaluate()) {
    state_->evaluator.GetDerivatives(rates);
  }
  state_->failure.reset();
  state_->evaluator.ForgetMatrices();
  state_->evaluator.NoteHeldChange();
  if (!state_->RunEvent()) {
    return false;
  }
  state_->NoteMagnitudes();
  GetStates(after);
  state_->has_changed =
      before != after ||
      (is_foreign ? state_->event.has_changed : state_->event.restarts);
  if (!Evaluate()) {
    return false;
  }
  if (is_foreign) {
    state_->evaluator.GetDerivatives(after);
    state_->has_changed = state_->has_changed || rates != after;
  }
  return true;
}

bool OperatingPoint::has_changed() const noexcept {
  return state_->has_changed;
}

bool OperatingPoint::Differentiate(std::uint32_t slot) {
  return state_->Differentiate(slot);
}

double OperatingPoint::Tangent(Reference at) const noexcept {
  return state_->tangents.Of(0, at);
}

void OperatingPoint::SetTime(double t) noexcept {
  state_->evaluator.set_t(t);
}

bool OperatingPoint::EvaluateBetweenEvents(bool with_outputs) {
  state_->event = {};
  state_->off_constraint.reset();
  state_->has_loop_matrices = false;
  state_->failure = state_->evaluator.Run(with_outputs ? state_->equations
                                                       : program().derivatives);
  return !state_->failure &&
         std::ranges::all_of(program().derivatives_at, [this](Reference at) {
           return std::isfinite(state_->evaluator.Value(at));
         });
}

bool OperatingPoint::CompleteStep() {
  if (!EvaluateBetweenEvents(true)) {
    throw ExplainFailure();
  }
  state_->evaluator.AcceptLoops();
  const EventProgram& events = program().events;
  if (events.step_slots.empty()) {
    return false;
  }
  state_->failure = state_->evaluator.Run(events.after_step);
  if (state_->failure) {
    throw ExplainFailure();
  }
  return std::ranges::any_of(events.step_slots, [this](std::uint32_t slot) {
    return state_->evaluator.memory()[slot] != 0;
  });
}

double OperatingPoint::next_time() const noexcept {
  return state_->events.next_time();
}

std::size_t OperatingPoint::num_indicators() const noexcept {
  return program().events.relations.size();
}

bool OperatingPoint::GetIndicators(std::span<double> indicators) {
  constexpr double kBeyond = 1e-10;
  if (!state_->events.LookAtRelations(state_->seen)) {
    return false;
  }
  for (std::size_t k = 0; k < indicators.size(); ++k) {
    const auto& [left, right, holds] = state_->seen[k];
    const double magnitude = state_->magnitudes[k];
    const double beyond = kBeyond * (magnitude > 0 ? magnitude : 1);
    indicators[k] = left - right + (holds ? -beyond : beyond);
  }
  return true;
}

void OperatingPoint::Change(std::span<const Setting> settings) {
  if (!state_->names) {
    state_->names.emplace(program());
  }
  internal::Settings changed = state_->setup;
  changed.Change(*state_->names, settings, state_->inputs);
  state_->setup = std::move(changed);
  if (const auto section = state_->setup.ApplyParameters(state_->evaluator)) {
    throw internal::AsError(internal::ExplainNotFinite(
        state_->evaluator, std::span(&*section, 1), {}));
  }
  state_->evaluator.ForgetMatrices();
  state_->evaluator.NoteHeldChange();
}

bool OperatingPoint::has_terminated() const noexcept {
  return state_->event.kind == EventOutcome::Kind::kTerminated;
}

std::string OperatingPoint::EndMessage() const {
  return state_->Explain({}).message;
}

void OperatingPoint::Transfer(StateStream& stream) {
  state_->setup.Transfer(stream, state_->inputs);
  state_->evaluator.Transfer(stream);
  state_->events.Transfer(stream);
  stream.Numbers(state_->magnitudes);
  stream.Expect(state_->magnitudes.size() == num_indicators(),
                "another number of relations");
  if (stream.reads()) {
    state_->has_loop_matrices = false;
    state_->failure.reset();
    state_->event = {};
  }
}

Error OperatingPoint::ExplainFailure(
    const std::optional<NamedScalar>& quantity) const {
  return internal::AsError(state_->Explain(quantity));
}

}  // namespace orrery
