#include "orrery/fmi/stepping/run_end.h"

#include <fmt/format.h>

namespace orrery::fmi {

Summary SummaryOf(const RunTimes& times) {
  Summary summary;
  summary.start = times.start;
  summary.end_time = times.start;
  summary.stop = times.stop;
  summary.solver = "Co-Simulation";
  return summary;
}

void EndRun(Summary& summary, RunOutcome outcome, const std::string& message) {
  summary.outcome = outcome;
  summary.message = message;
  if (outcome != RunOutcome::kTerminated) {
    summary.diagnostics.push_back(
        {.severity = Severity::kError, .message = message});
  }
}

bool GoesOn(Summary& summary, const Observer& observer, double t) {
  if (!observer || observer({.start = summary.start,
                             .t = t,
                             .stop = summary.stop,
                             .steps = summary.steps})) {
    return true;
  }
  summary.outcome = RunOutcome::kInterrupted;
  summary.message = fmt::format("interrupted at t = {} s", t);
  return false;
}

}  // namespace orrery::fmi
