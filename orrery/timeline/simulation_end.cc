#include "orrery/timeline/simulation_end.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "orrery/base/duration.h"

namespace orrery::timeline::internal {

void SimulationEnd::Fail(RunOutcome outcome, const std::string& message) {
  outcome_ = outcome;
  message_ = message;
  diagnostics_.push_back(MakeDiagnostic(Severity::kError, {}, message, ""));
}

void SimulationEnd::Interrupt(const std::string& message) {
  outcome_ = RunOutcome::kInterrupted;
  message_ = message;
}

void SimulationEnd::AddTo(Summary& summary) const {
  if (summary.outcome == RunOutcome::kCompleted && is_there()) {
    summary.outcome = outcome_;
    summary.message = message_;
    summary.diagnostics.insert(
        summary.diagnostics.end(), diagnostics_.begin(), diagnostics_.end());
  }
}

std::vector<std::string> RecentLinks::NamesIn(
    const std::vector<std::string>& names) const {
  std::vector<std::string> used;
  for (std::size_t i = 0; i < std::min(num_noted_, links_.size()); ++i) {
    const std::string& name = names[links_[i]];
    if (std::ranges::find(used, name) == used.end()) {
      used.push_back(name);
    }
  }
  std::ranges::sort(used);
  return used;
}

std::string DescribeEndless(int microsteps,
                            Duration now,
                            const std::vector<std::string>& links) {
  return fmt::format(
      "{} microsteps at t = {} without an end{}; let one of them take time",
      microsteps,
      ToText(now),
      links.empty() ? ": tasks or DEVS models make each other go on"
                    : fmt::format(": these make each other go on: {}",
                                  fmt::join(links, ", ")));
}

std::string DescribeWithoutEnd(std::int64_t instants, Duration now) {
  return fmt::format(
      "cannot go on at t = {}: no end is given, and after {} "
      "times with events something is due still; give a time to "
      "stop at",
      ToText(now),
      instants);
}

void AddResultsOf(sim::internal::ProgramRun& equations,
                  TimelineResult& result) {
  equations.RecordNow();
  result.trajectory = equations.TakeRecorded();
  result.summary = equations.MakeSummary(result.trajectory);
  result.events = equations.Events();
}

void AddResultsOf(process::Simulator& tasks,
                  Duration now,
                  TimelineResult& result) {
  result.tasks = tasks.statistics();
  const process::Recording& recording = tasks.recording();
  result.recording.profiles = recording.profiles;
  result.recording.spans = recording.spans;
  for (std::size_t i = 0; i < recording.events.num_commits(); ++i) {
    result.commits.push_back(recording.events.At(i));
  }
  result.warnings = tasks.warnings();
  for (const process::UnbegunActivity& activity : tasks.unbegun()) {
    result.warnings.push_back(activity.Text(now));
  }
  result.waiting = tasks.waiting();
}

}  // namespace orrery::timeline::internal
