#include "orrery/cli/run_reports/task_text.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {

std::string TaskHeadLine(const ProcessHead& head) {
  std::string text =
      fmt::format("{}  {}, {}",
                  head.model,
                  Counted(head.size.cells, "cell", "cells"),
                  Counted(head.size.resources, "resource", "resources"));
  if (head.size.activities > 0) {
    text += ", " + Counted(head.size.activities,
                           "type of activities",
                           "types of activities");
  }
  if (head.planned > 0) {
    text += "  " + Counted(head.planned, "activity", "activities") + " planned";
  }
  return text + "\n";
}

std::string SpanText(std::span<const process::Span> spans) {
  if (spans.empty()) {
    return "";
  }
  const SpanCounts counts = CountSpans(spans);
  return fmt::format(
      "{} over, {} open\n", Counted(counts.over, "task", "tasks"), counts.open);
}

std::string ProcessValues(std::span<const ProcessRunResult::Value> values) {
  std::vector<Row> rows;
  for (const ProcessRunResult::Value& value : values) {
    rows.push_back({value.name, WordsOf(value.value), value.unit});
  }
  return ShortColumns(rows);
}

std::string WaitingText(std::span<const process::WaitingTask> waiting) {
  std::vector<Row> rows;
  for (const process::WaitingTask& task : waiting) {
    rows.push_back({task.task, "for " + task.awaits});
  }
  return rows.empty() ? "" : "waiting at the end\n" + ShortColumns(rows);
}

std::string TaskTextReport(const ProcessRunResult& result,
                           std::span<const process::Span> spans,
                           double run_ms,
                           const std::optional<LagReport>& lag) {
  const process::Statistics& statistics = result.statistics;
  return fmt::format(
             "t = {}  {} of {}, {} of conditions  {}\n",
             ToText(result.end),
             Counted(statistics.steps, "step", "steps"),
             Counted(statistics.spawned, "task", "tasks"),
             Counted(statistics.evaluations, "evaluation", "evaluations"),
             Milliseconds(run_ms)) +
         LagLine(lag) + SpanText(spans) + ProcessValues(result.values) +
         WaitingText(result.waiting);
}

}  // namespace orrery::cli
