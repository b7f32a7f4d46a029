// The end of a run on one timeline, and its results.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "orrery/base/duration.h"
#include "orrery/sim/types/ticks.h"
#include "orrery/timeline/simulation_run.h"

namespace orrery::timeline::internal {

bool SimulationRun::has_ended() const noexcept {
  return summary_.outcome != RunOutcome::kCompleted ||
         (equations_ && equations_->has_ended());
}

void SimulationRun::FailEndless() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(num_links_, links_.size()); ++i) {
    const std::string& name = parts_.links[links_[i]];
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
  std::ranges::sort(names);
  Fail(fmt::format(
      "{} microsteps at t = {} without an end{}; let one of them take time",
      max_microsteps_,
      ToText(now_),
      names.empty() ? ": tasks or DEVS models make each other go on"
                    : fmt::format(": these make each other go on: {}",
                                  fmt::join(names, ", "))));
  summary_.outcome = RunOutcome::kTooManyEvents;
}

void SimulationRun::FailWithoutEnd() {
  Fail(
      fmt::format("cannot go on at t = {}: no end is given, and after {} "
                  "times with events something is due still; give a time to "
                  "stop at",
                  ToText(now_),
                  instants_));
  summary_.outcome = RunOutcome::kTooManyEvents;
}

void SimulationRun::Fail(const std::string& message) {
  if (!has_ended()) {
    summary_.outcome = RunOutcome::kModelFailed;
    summary_.message = message;
    summary_.diagnostics.push_back(
        MakeDiagnostic(Severity::kError, {}, message, ""));
  }
}

void SimulationRun::Interrupt(const std::string& why) {
  if (!has_ended()) {
    summary_.outcome = RunOutcome::kInterrupted;
    summary_.message = why.empty() ? "interrupted at t = " + ToText(now_) : why;
  }
}

TimelineResult SimulationRun::Finish() {
  TimelineResult result;
  if (equations_) {
    if (!has_ended() || equations_->has_ended()) {
      equations_->Terminate();
    }
    equations_->RecordNow();
    result.trajectory = equations_->TakeRecorded();
    result.summary = equations_->MakeSummary(result.trajectory);
    result.events = equations_->Events();
  }
  if (result.summary.outcome == RunOutcome::kCompleted &&
      summary_.outcome != RunOutcome::kCompleted) {
    result.summary.outcome = summary_.outcome;
    result.summary.message = summary_.message;
    result.summary.diagnostics.insert(result.summary.diagnostics.end(),
                                      summary_.diagnostics.begin(),
                                      summary_.diagnostics.end());
  }
  if (!equations_) {
    result.summary.end_time = sim::internal::SecondsOf(now_);
    result.summary.stop =
        sim::internal::SecondsOf(stop_ == Duration::max() ? now_ : stop_);
  }
  result.end = now_;
  if (equations_ && result.summary.end_time != sim::internal::SecondsOf(now_)) {
    result.end = ToDuration(result.summary.end_time);
  }
  if (devs_) {
    result.devs = devs_->statistics();
  }
  result.tasks = tasks_->statistics();
  // The log of events belongs to the run, which ends here.
  const process::Recording& recording = tasks_->recording();
  result.recording.profiles = recording.profiles;
  result.recording.spans = recording.spans;
  for (std::size_t i = 0; i < recording.events.num_commits(); ++i) {
    result.commits.push_back(recording.events.At(i));
  }
  result.failure = failure_;
  result.warnings = tasks_->warnings();
  for (const process::UnbegunActivity& activity : tasks_->unbegun()) {
    result.warnings.push_back(activity.Text(now_));
  }
  result.waiting = tasks_->waiting();
  result.instants = instants_;
  result.microsteps = microsteps_;
  return result;
}

}  // namespace orrery::timeline::internal
