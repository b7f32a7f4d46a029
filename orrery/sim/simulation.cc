#include "orrery/sim/simulation.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/files/state_stream.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/sim/record/record_layout.h"
#include "orrery/sim/run/program_run.h"
#include "orrery/sim/run/run_plan.h"

namespace orrery {

namespace internal = sim::internal;

std::shared_ptr<const SignalTable> RecordedSignals(
    const Program& program, const SimulationOptions& options) {
  return internal::MakeRecordLayout(program, options).table;
}

std::vector<Diagnostic> CheckSettings(const Program& program,
                                      std::span<const Setting> settings) {
  const internal::InputSignals no_table(program, nullptr);
  return internal::Settings(program,
                            settings,
                            internal::FindScalars(program, settings),
                            no_table)
      .warnings();
}

void CheckOptions(const Program& program, const SimulationOptions& options) {
  const internal::RunPlan plan(program, options);
  CheckTimes(options, plan.options);
  CheckSteps(program, options, plan.options);
  static_cast<void>(internal::ProgramRun(plan, options.settings));
}

std::vector<Diagnostic> WhereInputsAreHeld(const Program& program,
                                           const SimulationOptions& options) {
  const ResolvedOptions resolved = Resolve(options, program.experiment);
  return internal::InputSignals(program, options.inputs)
      .WhereHeld(resolved.start, resolved.stop);
}

RunResult Simulate(const std::shared_ptr<const Program>& program,
                   const SimulationOptions& options,
                   const Observer& observer) {
  ORRERY_CHECK(program != nullptr);
  const internal::RunPlan plan(*program, options);
  internal::ProgramRun run(plan, options.settings);
  run.Start();
  const double stop = run.options().stop;
  for (bool goes_on = true; goes_on;) {
    goes_on = run.Step(stop);
    if (observer && !run.has_ended() &&
        !observer({.start = run.options().start,
                   .t = run.t(),
                   .stop = stop,
                   .steps = run.steps()})) {
      run.Interrupt();
      goes_on = false;
    }
  }
  return run.Finish();
}

// Simulator -------------------------------------------------------------------

namespace {

// Checks the end of a piece of a run.
double Finite(Seconds t) {
  if (!std::isfinite(t.value)) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot go on to {} s: give a finite time", t.value));
  }
  return t.value;
}

internal::RunPlan WithoutEnd(const Program& program,
                             const SimulationOptions& options) {
  internal::RunPlan plan(program, options);
  plan.end = std::numeric_limits<double>::infinity();
  return plan;
}

}  // namespace

struct Simulator::Content {
  Content(std::shared_ptr<const Program> its_program,
          const SimulationOptions& options)
      : program(std::move(its_program)),
        given(options),
        plan(WithoutEnd(*program, options)),
        run(plan, options.settings) {}

  std::shared_ptr<const Program> program;
  SimulationOptions given;
  internal::RunPlan plan;
  internal::ProgramRun run;
  std::optional<NameTable> names;  // Made by the first look-up.
};

Simulator::Simulator(std::shared_ptr<const Program> program,
                     const SimulationOptions& options) {
  ORRERY_CHECK(program != nullptr);
  content_ = std::make_unique<Content>(std::move(program), options);
  content_->run.Start();
}

Simulator::Simulator(std::shared_ptr<const Program> program,
                     const SavedRun& saved,
                     const SimulationOptions& options) {
  ORRERY_CHECK(program != nullptr);
  CheckProgram(saved, *program);
  content_ = std::make_unique<Content>(std::move(program),
                                       OptionsToContinue(saved, options));
  Restore(saved.state);
}

Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;
Simulator::~Simulator() = default;

double Simulator::t() const noexcept {
  return content_->run.t();
}

bool Simulator::has_ended() const noexcept {
  return content_->run.has_ended();
}

double Simulator::operator[](std::string_view name) const {
  std::optional<NameTable>& names = content_->names;
  if (!names) {
    names.emplace(*content_->program);
  }
  return content_->run.evaluator().Value(
      ReferenceOf(*content_->program, names->Get(name)));
}

const Context& Simulator::context() const noexcept {
  return content_->run.evaluator().context();
}

bool Simulator::Step(Seconds limit) {
  return content_->run.Step(Finite(limit));
}

bool Simulator::RunUntil(Seconds t) {
  const double end = Finite(t);
  while (content_->run.Step(end)) {
  }
  return !has_ended();
}

bool Simulator::AdvanceTo(Seconds t) {
  internal::ProgramRun& run = content_->run;
  const double end = Finite(t);
  while (run.Advance(end, run.options().stop)) {
  }
  return !has_ended() && run.Settle();
}

std::string Simulator::Save() const {
  StateStream stream;
  content_->run.Save(stream);
  return stream.bytes();
}

void Simulator::Restore(std::string_view state) {
  StateStream stream(state);
  content_->run.Restore(stream);
}

SavedRun Simulator::SaveRun() const {
  SavedRun saved{.program = MarkOf(*content_->program),
                 .t = t(),
                 .options = {},
                 .state = Save()};
  saved.options = OptionsToContinue({.options = content_->given}, {});
  return saved;
}

bool Simulator::Set(std::span<const Setting> settings) {
  return content_->run.Set(settings);
}

void Simulator::Interrupt() {
  content_->run.Interrupt();
}

RunResult Simulator::Result() const {
  Trajectory trajectory = content_->run.Recorded();
  Summary summary = content_->run.MakeSummary(trajectory);
  return {.trajectory = std::move(trajectory),
          .events = content_->run.Events(),
          .summary = std::move(summary)};
}

NewRows Simulator::TakeNewRows() {
  return content_->run.TakeNewRows();
}

NewEvents Simulator::TakeNewEvents() {
  return content_->run.TakeNewEvents();
}

RunResult Simulator::Finish() {
  internal::ProgramRun& run = content_->run;
  if (!run.has_ended()) {
    run.RecordNow();
  }
  run.Terminate();
  return Result();
}

}  // namespace orrery
