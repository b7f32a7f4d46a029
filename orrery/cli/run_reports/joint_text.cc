#include "orrery/cli/run_reports/joint_text.h"

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/cli/run_reports/task_text.h"
#include "orrery/cli/run_reports/text_report.h"

namespace orrery::cli {
std::string JointHeadLine(const JointHead& head) {
  const JointModelSize& size = head.size;
  std::vector<std::string> parts;
  if (!size.equations.empty()) {
    parts.push_back(Counted(size.states, "state", "states") + " of " +
                    size.equations);
  }
  const auto add = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) {
      parts.push_back(Counted(count, one, many));
    }
  };
  add(size.devs.atomics, "atomic model", "atomic models");
  add(size.tasks.cells, "cell", "cells");
  add(size.tasks.resources, "resource", "resources");
  add(size.tasks.activities, "type of activities", "types of activities");
  return fmt::format(
      "{}  {}{}  made in {}\n",
      head.model,
      parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", ")),
      head.planned == 0
          ? ""
          : "  " + Counted(head.planned, "activity", "activities") + " planned",
      Milliseconds(head.make_ms));
}

std::string JointTextReport(const JointHead& head,
                            const JointRunResult& result,
                            double run_ms,
                            const std::optional<LagReport>& lag) {
  const TimelineResult& run = result.run;
  std::string text =
      fmt::format("t = {}{}", ToText(run.end), SolverText(run.summary));
  if (head.size.devs.atomics > 0) {
    text += "  " + Counted(run.devs.messages, "message", "messages");
  }
  if (run.tasks.spawned > 0) {
    text += fmt::format("  {} of {}",
                        Counted(run.tasks.steps, "step", "steps"),
                        Counted(run.tasks.spawned, "task", "tasks"));
  }
  text += fmt::format("  {}  {}\n",
                      Counted(run.instants, "instant", "instants"),
                      Milliseconds(run_ms));
  return text + LagLine(lag) + SolverNotes(run.summary) +
         SpanText(run.recording.spans) + FinalText(run.trajectory) +
         ProcessValues(result.values) + WaitingText(run.waiting);
}

}  // namespace orrery::cli
