#include "orrery/timeline/timeline_stepper.h"

#include "orrery/base/error.h"
#include "orrery/timeline/simulation_parts.h"
#include "orrery/timeline/simulation_run.h"

namespace orrery {

namespace internal = timeline::internal;

// One run -----------------------------------------------------------------

void internal::SimulationRun::Set(std::span<const Setting> settings) {
  if (has_ended()) {
    return;
  }
  if (!equations_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot set '" + settings.front().name +
                    "': the simulation has no equations; send messages to its "
                    "DEVS models");
  }
  for (const Setting& setting : settings) {
    const auto scalar = parts_.names->Find(setting.name);
    if (!scalar) {
      continue;  // The equations say what is wrong.
    }
    const std::string source =
        parts_.quantities.SourceOf(ReferenceOf(*parts_.program, *scalar).slot);
    if (!source.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot set '" + setting.name + "': in the simulation " +
                      source + " sets it; set a parameter or another input");
    }
  }
  num_quiet_ = 0;
  equations_->Set(settings);
  CompleteInstant();
}

double internal::SimulationRun::ValueOf(std::string_view name) {
  if (!equations_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot tell '" + std::string(name) +
                    "': the simulation has no equations");
  }
  const Reference at = ReferenceOf(*parts_.program, parts_.names->Get(name));
  static_cast<void>(equations_->Settle());
  return equations_->evaluator().Value(at);
}

// For users -----------------------------------------------------------------

struct TimelineStepper::Content {
  Content(internal::SimulationParts& parts, const TimelineOptions& options)
      : run(parts, options, observer) {}

  Observer observer;
  internal::SimulationRun run;
};

TimelineStepper::TimelineStepper(Simulation& simulation,
                                 const TimelineOptions& options)
    : content_(std::make_unique<Content>(*simulation.parts_, options)) {
  content_->run.Start();
}

TimelineStepper::~TimelineStepper() = default;

Duration TimelineStepper::now() const noexcept {
  return content_->run.now();
}

Duration TimelineStepper::stop() const noexcept {
  return content_->run.stop();
}

bool TimelineStepper::has_ended() const noexcept {
  return content_->run.has_ended();
}

void TimelineStepper::GoOnTo(Duration t) {
  content_->run.GoOnTo(t);
}

void TimelineStepper::Set(std::span<const Setting> settings) {
  content_->run.Set(settings);
}

devs::Simulator* TimelineStepper::devs() noexcept {
  return content_->run.has_devs() ? &content_->run.devs() : nullptr;
}

void TimelineStepper::CompleteInstant() {
  content_->run.CompleteInstant();
}

double TimelineStepper::operator[](std::string_view name) const {
  return content_->run.ValueOf(name);
}

const process::Recording& TimelineStepper::recording() const noexcept {
  return content_->run.tasks().recording();
}

NewRows TimelineStepper::TakeNewRows() {
  sim::internal::ProgramRun* const equations = content_->run.equations();
  return equations == nullptr ? NewRows{} : equations->TakeNewRows();
}

NewEvents TimelineStepper::TakeNewEvents() {
  sim::internal::ProgramRun* const equations = content_->run.equations();
  return equations == nullptr ? NewEvents{} : equations->TakeNewEvents();
}

NewRows TimelineStepper::TakeAllRows() {
  sim::internal::ProgramRun* const equations = content_->run.equations();
  return equations == nullptr ? NewRows{} : equations->TakeAllRows();
}

void TimelineStepper::Interrupt(const std::string& why) {
  content_->run.Interrupt(why);
}

TimelineResult TimelineStepper::Finish() {
  return content_->run.Finish();
}

}  // namespace orrery
