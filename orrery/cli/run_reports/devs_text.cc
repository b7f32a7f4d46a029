#include "orrery/cli/run_reports/devs_text.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {
namespace {

std::string Transitions(const devs::Statistics& statistics) {
  return fmt::format("{} internal, {} external, {} confluent transitions, {}",
                     statistics.internal,
                     statistics.external,
                     statistics.confluent,
                     Counted(statistics.messages, "message", "messages"));
}

}  // namespace

std::string ParameterList(std::span<const ParameterInfo> parameters) {
  std::vector<Row> rows;
  for (const ParameterInfo& info : parameters) {
    rows.push_back({fmt::format("{} = {}{}{}{}",
                                info.name,
                                info.value,
                                info.unit.empty() ? "" : " ",
                                info.unit,
                                info.value == info.default_value
                                    ? ""
                                    : ", not " + info.default_value),
                    info.type,
                    info.meaning});
  }
  return InColumns(rows);
}

std::string DevsHeadLine(const DevsHead& head) {
  return fmt::format(
      "{}  {}, {}  {} DEVS  flattened in {}\n",
      head.model,
      Counted(head.size.atomics, "atomic model", "atomic models"),
      Counted(head.size.couplings, "coupling", "couplings"),
      head.engine.formalism == devs::Formalism::kClassic ? "classic"
                                                         : "parallel",
      Milliseconds(head.flatten_ms));
}

std::string DevsTextReport(const DevsRunResult& result,
                           double run_ms,
                           const std::optional<LagReport>& lag) {
  std::string text = fmt::format("t = {}  {}  {}\n",
                                 ToText(result.end),
                                 Transitions(result.statistics),
                                 Milliseconds(run_ms));
  text += LagLine(lag);
  std::vector<Row> rows;
  for (const DevsRunResult::Value& value : result.values) {
    rows.push_back({value.name,
                    NumberText(value.value),
                    value.time ? "at t = " + ToText(*value.time) : ""});
  }
  return text + ShortColumns(rows);
}

std::string DevsTextReport(std::span<const DevsRunResult> runs,
                           std::int64_t asked,
                           double run_ms) {
  devs::Statistics sum;
  std::int64_t completed = 0;
  for (const DevsRunResult& run : runs) {
    sum.internal += run.statistics.internal;
    sum.external += run.statistics.external;
    sum.confluent += run.statistics.confluent;
    sum.messages += run.statistics.messages;
    completed += run.outcome == DevsOutcome::kCompleted ? 1 : 0;
  }
  std::string text = fmt::format("{} of {}  {}  {}\n",
                                 completed,
                                 Counted(asked, "replication", "replications"),
                                 Transitions(sum),
                                 Milliseconds(run_ms));
  std::vector<Row> rows = {
      {"", "mean", "deviation", "95 % interval of the mean"}};
  for (const DevsEstimate& value : EstimateValues(runs)) {
    const Estimate& estimate = value.estimate;
    rows.push_back({value.name,
                    NumberText(estimate.mean),
                    NumberText(estimate.deviation),
                    std::isfinite(estimate.half_width)
                        ? fmt::format("{:.6g} to {:.6g}",
                                      estimate.mean - estimate.half_width,
                                      estimate.mean + estimate.half_width)
                        : "-",
                    estimate.count < completed
                        ? fmt::format("({} of them)", estimate.count)
                        : ""});
  }
  return text + (rows.size() > 1 ? ShortColumns(rows) : "");
}

}  // namespace orrery::cli
