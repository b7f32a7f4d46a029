#include "orrery/sdk/reports/process_report.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/sdk/reports/report_parts.h"
#include "orrery/sdk/runs/bars_to_draw.h"
#include "orrery/sdk/runs/record_files.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::DiagnosticsAsJson;
using internal::Json;
using internal::LagAsJson;
using internal::NumbersAsJson;
using internal::ParametersAsJson;
using internal::Print;
using internal::PrintOnALine;
using internal::StatisticsAsJson;
using internal::ValuesAsJson;
using internal::WaitingAsJson;

SpanCounts CountSpans(std::span<const process::Span> spans) {
  SpanCounts counts;
  for (const process::Span& span : spans) {
    ++(span.state == process::SpanEnd::kOpen ? counts.open : counts.over);
  }
  return counts;
}

std::string JsonReport(const ProcessHead& head,
                       const ProcessRunResult& result,
                       std::span<const process::Span> spans,
                       double run_ms,
                       const std::optional<LagReport>& lag) {
  std::vector<Diagnostic> diagnostics(head.warnings.begin(),
                                      head.warnings.end());
  for (const std::string& warning : result.warnings) {
    diagnostics.push_back({.severity = Severity::kWarning, .message = warning});
  }
  if (!result.message.empty()) {
    diagnostics.push_back({.message = result.message});
  }
  const SpanCounts counts = CountSpans(spans);
  Json json = {{"status", Describe(result.outcome)},
               {"message", result.message},
               {"model", head.model},
               {"seed", result.seed},
               {"cells", head.size.cells},
               {"resources", head.size.resources},
               {"activities", head.size.activities},
               {"planned", head.planned},
               {"parameters", ParametersAsJson(head.parameters)},
               {"run_ms", run_ms},
               {"time", Seconds(result.end).value},
               {"statistics", StatisticsAsJson(result.statistics)},
               {"spans_over", counts.over},
               {"spans_open", counts.open},
               {"final", ValuesAsJson(result.values)},
               {"waiting", WaitingAsJson(result.waiting)},
               {"diagnostics", DiagnosticsAsJson(diagnostics)}};
  if (lag) {
    json["lag"] = LagAsJson(*lag);
  }
  return Print(json);
}

namespace {

constexpr std::size_t kPixels = 2000;

double EndOf(const process::Span& span) {
  return span.state == process::SpanEnd::kOpen ? kInfinity
                                               : Seconds(span.end).value;
}

std::optional<std::int64_t> BarRowOf(const process::Span& span) {
  std::optional<std::int64_t> parent;
  if (span.parent) {
    parent = static_cast<std::int64_t>(*span.parent);
  }
  const bool is_activity =
      std::ranges::find(span.attributes, "directive", &Record::Field::name) !=
      span.attributes.end();
  return RowOfSpan(parent, is_activity, span.name);
}

Json SpansOf(const std::vector<process::Span>& spans, const DrawnRange& range) {
  std::vector<TimedBar> bars;
  bars.reserve(spans.size());
  for (const process::Span& span : spans) {
    bars.push_back({.begin = Seconds(span.begin).value,
                    .end = EndOf(span),
                    .row = BarRowOf(span)});
  }
  Json drawn = Json::array();
  for (const std::size_t i : BarsToDraw(bars, range)) {
    const process::Span& span = spans[i];
    const bool is_open = span.state == process::SpanEnd::kOpen;
    Json attributes = Json::object();
    for (const Record::Field& field : span.attributes) {
      attributes[field.name] = internal::ValueAsJson(field.value);
    }
    drawn.push_back({{"span", i},
                     {"parent", span.parent ? Json(*span.parent) : Json()},
                     {"name", span.name},
                     {"begin", bars[i].begin},
                     {"end", is_open ? Json() : Json(bars[i].end)},
                     {"state", std::string(Describe(span.state))},
                     {"attributes", std::move(attributes)}});
  }
  return drawn;
}

Json PlanRowsOf(const Trajectory& run, const DrawnRange& range) {
  Json columns = Json::array();
  columns.push_back({{"name", "time"}, {"unit", "s"}});
  std::vector<Signal> signals;
  for (std::size_t i = 0; i < run.signals().size(); ++i) {
    signals.push_back(run.signal(i));
    columns.push_back(
        {{"name", signals.back().name()}, {"unit", signals.back().unit()}});
  }
  const std::vector<std::size_t> rows = RowsToDraw(run, signals, range);
  std::vector<double> values;
  for (const std::size_t row : rows) {
    values.push_back(run.time()[row]);
  }
  Json all = Json::array();
  all.push_back(NumbersAsJson(values));
  for (const Signal& signal : signals) {
    values.clear();
    for (const std::size_t row : rows) {
      values.push_back(signal[row]);
    }
    all.push_back(NumbersAsJson(values));
  }
  return {{"columns", std::move(columns)}, {"values", std::move(all)}};
}

Json UnbegunAsJson(const PlanOutcome& outcome) {
  Json list = Json::array();
  for (const process::UnbegunActivity& activity : outcome.unbegun) {
    list.push_back(
        {{"directive", activity.id}, {"text", activity.Text(outcome.end)}});
  }
  return list;
}

}  // namespace

std::string PlanReport(const PlanOutcome& outcome,
                       double run_ms,
                       const std::optional<DrawnRange>& range) {
  const double start = Seconds(outcome.start).value;
  const double end = Seconds(outcome.end).value;
  const DrawnRange shown =
      range.value_or(DrawnRange{.from = start, .to = end, .pixels = kPixels});
  Json json = {
      {"status", std::string(Describe(outcome.outcome))},
      {"message", outcome.message},
      {"start", start},
      {"end", end},
      {"resumed_at",
       outcome.resumed_at ? Json(Seconds(*outcome.resumed_at).value) : Json()},
      {"run_ms", run_ms},
      {"notices", DiagnosticsAsJson(outcome.notices)},
      {"unbegun", UnbegunAsJson(outcome)},
      {"spans", Json::array()},
      {"rows", {{"columns", Json::array()}, {"values", Json::array()}}}};
  if (end > start) {
    json["spans"] = SpansOf(outcome.recording->spans, shown);
    const Trajectory rows =
        ToTrajectory(outcome.recording->profiles, outcome.start, outcome.end);
    json["rows"] = PlanRowsOf(rows, shown);
  }
  return PrintOnALine(json);
}

std::string PlanReport(const Error& error) {
  return PrintOnALine({{"status", "refused"},
                       {"message", error.what()},
                       {"notices", DiagnosticsAsJson(error.diagnostics())}});
}

}  // namespace orrery
