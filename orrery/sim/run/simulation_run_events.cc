// The events of a run.

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/sim/events/explain_events.h"
#include "orrery/sim/run/simulation_run.h"

namespace orrery::internal {

// Carries out the event at t_. Records its left and its right limit if they
// differ in the recorded signals, else one row if the event is logged.
bool SimulationRun::HandleEvent(EventOutcome (EventEngine::*run)(double),
                                std::span<const double> beyond) {
  is_due_ = false;
  quiet_until_ = t_;
  starts_before_.clear();
  starts_behind_.clear();
  const bool was_sliding = is_sliding();
  if (was_sliding) {
    motion_->MoveAside(t_, x_);
  }
  // If a relation has changed, there may be no left limit any more. If the
  // solution of a loop has ended, the left limit was before.
  const auto why = has_lost_solution_ ? std::nullopt : ComputeLeftLimit();
  if (why && !events_.HasRelationChanged()) {
    return End(*why);
  }
  if (was_sliding) {
    motion_->End();
  }
  if (why || has_lost_solution_) {
    recorder_.ForgetKept();
  } else {
    recorder_.Keep(machine_.memory());
    if (watch_ != nullptr) {
      watch_->NotePassed();
    }
  }
  const bool goes_on = PassEvent(run, beyond, was_sliding);
  if (!goes_on && recorder_.has_kept() && last_row_ != t_) {  // No right limit.
    recorder_.AppendKept(t_);
    last_row_ = t_;
  }
  if (goes_on) {
    LookOutside();
  }
  return goes_on;
}

std::optional<Explanation> SimulationRun::ComputeLeftLimit() {
  if (moves_) {
    return Compute(t_, x_, LoopStart::kAccepted);
  }
  machine_.set_t(t_);
  return std::nullopt;
}

// Lets inputs jump and writes new values of parameters.
void SimulationRun::TakeWhatIsSet() {
  if (inputs_.next_jump() <= t_) {
    inputs_.GoTo(t_);
    inputs_.Apply(t_, machine_.memory());
    machine_.NoteHeldChange();
    needs_restart_ = true;
  }
  if (std::exchange(has_new_settings_, false)) {
    static_cast<void>(settings_.ApplyParameters(machine_));  // Was tried.
    machine_.NoteHeldChange();
    needs_restart_ = true;
  }
}

// Begins the event at t_ for the sensitivities.
void SimulationRun::BeginFollowing() {
  if (sensitivities_ == nullptr) {
    return;
  }
  sensitivities_->BeginEvent(t_, t_ <= options_.start);
  if (const auto direction = sensitivities_->TakeParting()) {
    const std::string& name = plan_.sensitivities[*direction];
    summary_.diagnostics.push_back(MakeDiagnostic(
        Severity::kWarning,
        {},
        fmt::format("events that take place at once at t = {:.6g} s move apart "
                    "with {}: sensitivities to it from there on are those of "
                    "one of them",
                    t_,
                    name),
        "let them take place at different times, or compare runs with other "
        "values of " +
            name));
  }
  if (projection_ != nullptr) {
    projection_->NoteDrift(*Along());
  }
}

// Passes from the left limit to the right one.
bool SimulationRun::PassEvent(EventOutcome (EventEngine::*run)(double),
                              std::span<const double> beyond,
                              bool was_sliding) {
  BeginFollowing();
  if (auto failure = machine_.delays().BeginEvent(t_)) {
    return End(ExplainFailure(machine_, *failure));
  }
  if (!beyond.empty()) {
    machine_.SetStates(beyond);
  }
  TakeWhatIsSet();
  machine_.ForgetMatrices();
  const std::size_t noted = events_.notes().size();
  const EventOutcome outcome = RunEvent(run);
  if (!outcome.is_done() && outcome.kind != EventOutcome::Kind::kTerminated) {
    return Take(outcome);
  }
  if (outcome.changes_held) {
    machine_.NoteHeldChange();
  }
  needs_restart_ =
      needs_restart_ || outcome.restarts ||
      (sensitivities_ != nullptr && sensitivities_->HasHeldChanged());
  has_relation_changed_ = outcome.has_changed;
  GetStates();
  NoteSetStates();
  if (!ResumeSliding(outcome, was_sliding) ||
      (projection_ != nullptr && !KeepConstraints())) {
    return false;
  }
  if (sensitivities_ != nullptr) {
    sensitivities_->Hold();
  }
  const bool is_complete = run == &EventEngine::Run && LeavesRightLimit() &&
                           !recorder_.FindNotFinite(machine_.memory());
  if (!is_complete && !Evaluate(t_, x_, LoopStart::kMemory)) {
    return false;
  }
  if (sensitivities_ != nullptr && sensitivities_->EndEvent(x_) &&
      !Evaluate(t_, x_, LoopStart::kMemory)) {
    return false;
  }
  machine_.AcceptLoops();
  if (machine_.delays().EndEvent(t_, needs_restart_)) {
    needs_restart_ = true;
  }
  TellWarnings();
  if (sensitivities_ != nullptr) {
    sensitivities_->ShowTimeShifts();
  }
  RecordEvent(events_.notes().size() > noted || !outcome.is_done());
  if (sensitivities_ != nullptr) {
    sensitivities_->Hold();
  }
  return HasRoom() && Take(outcome);
}

// Records the left limit of an event, if it was kept, and the right one.
// @param is_noted the event is in the log.
void SimulationRun::RecordEvent(bool is_noted) {
  recorder_.Fetch(machine_.memory());
  const bool shows = recorder_.DiffersFromKept();
  if (shows && recorder_.has_kept() && last_row_ != t_) {
    recorder_.AppendKept(t_);
  }
  if (shows || (last_row_ != t_ && is_noted)) {
    recorder_.AppendFetched(t_);
    last_row_ = t_;
  }
}

void SimulationRun::TellWarnings() {
  for (const EventEngine::Warning& warning : events_.TakeWarnings()) {
    summary_.diagnostics.push_back(ExplainWarning(machine_, warning, t_));
  }
}

// True if the last results of an event's own equations are the values after the
// event. Solutions of loops, delayed values, tangents and sliding motions need
// more than that.
bool SimulationRun::LeavesRightLimit() const {
  return !events_.is_empty() && program_.blocks.empty() &&
         program_.delays.empty() && sensitivities_ == nullptr &&
         motion_ == nullptr && projection_ == nullptr;
}

EventOutcome SimulationRun::RunEvent(EventOutcome (EventEngine::*run)(double)) {
  const Machine::Following following = Follow();
  return events_.is_empty() ? EventOutcome{} : (events_.*run)(t_);
}

// Takes the states, and their sensitivities, as an event has left them.
void SimulationRun::GetStates() {
  machine_.GetStates(x_);
  if (sensitivities_ != nullptr) {
    sensitivities_->Get(x_);
  }
}

// Goes on unless the outcome ends the run.
bool SimulationRun::Take(const EventOutcome& outcome) {
  return outcome.is_done() || End(ExplainEvent(machine_, events_, outcome, t_));
}

}  // namespace orrery::internal
