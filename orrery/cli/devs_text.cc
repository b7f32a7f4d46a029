#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/cli/internal/devs_reports.h"
#include "orrery/cli/internal/reports.h"

namespace orrery::cli {
namespace {

constexpr std::size_t kMaxRows = 40;

using Row = std::vector<std::string>;

// The rows as columns two spaces apart, each line indented.
std::string InColumns(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += fmt::format("  {:<{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Short(std::vector<Row> rows) {
  const std::size_t all = rows.size();
  rows.resize(std::min(all, kMaxRows));
  std::string text = InColumns(rows);
  if (all > kMaxRows) {
    text += fmt::format("  ... and {} more; --output FILE writes them all\n",
                        all - kMaxRows);
  }
  return text;
}

std::string Number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.6g}", value);
}

std::string Transitions(const devs::Statistics& statistics) {
  return fmt::format("{} internal, {} external, {} confluent transitions, {}",
                     statistics.internal,
                     statistics.external,
                     statistics.confluent,
                     Counted(statistics.messages, "message", "messages"));
}

std::string LagLine(const devs::LagReport& lag) {
  const auto ms = [](Duration time) {
    return fmt::format("{:.3g} ms", 1e3 * Seconds(time).value);
  };
  return fmt::format(
      "lag at most {} (at t = {}), {} on average; {} of {} later than 10 ms\n",
      ms(lag.max),
      ToText(lag.max_at),
      ms(lag.mean),
      lag.late,
      Counted(lag.instants, "instant", "instants"));
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
  return fmt::format("{}  {}, {}  {} DEVS  flattened in {}\n",
                     head.model,
                     Counted(static_cast<std::int64_t>(head.size.atomics),
                             "atomic model",
                             "atomic models"),
                     Counted(static_cast<std::int64_t>(head.size.couplings),
                             "coupling",
                             "couplings"),
                     head.engine.formalism == devs::Formalism::kClassic
                         ? "classic"
                         : "parallel",
                     Milliseconds(head.flatten_ms));
}

std::string DevsTextReport(const DevsRunResult& result, double run_ms) {
  std::string text = fmt::format("t = {}  {}  {}\n",
                                 ToText(result.end),
                                 Transitions(result.statistics),
                                 Milliseconds(run_ms));
  if (result.lag) {
    text += LagLine(*result.lag);
  }
  std::vector<Row> rows;
  for (const DevsRunResult::Value& value : result.values) {
    rows.push_back({value.name,
                    Number(value.value),
                    value.time ? "at t = " + ToText(*value.time) : ""});
  }
  return text + Short(rows);
}

DevsOutcome OutcomeOf(std::span<const DevsRunResult> runs, std::int64_t asked) {
  for (const DevsOutcome outcome :
       {DevsOutcome::kFailed, DevsOutcome::kInterrupted}) {
    if (std::ranges::find(runs, outcome, &DevsRunResult::outcome) !=
        runs.end()) {
      return outcome;
    }
  }
  return static_cast<std::int64_t>(runs.size()) < asked
             ? DevsOutcome::kInterrupted
             : DevsOutcome::kCompleted;
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
                    Number(estimate.mean),
                    Number(estimate.deviation),
                    std::isfinite(estimate.half_width)
                        ? fmt::format("{:.6g} to {:.6g}",
                                      estimate.mean - estimate.half_width,
                                      estimate.mean + estimate.half_width)
                        : "-",
                    estimate.count < completed
                        ? fmt::format("({} of them)", estimate.count)
                        : ""});
  }
  return text + (rows.size() > 1 ? Short(rows) : "");
}

}  // namespace orrery::cli
