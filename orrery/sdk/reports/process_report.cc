#include "orrery/sdk/reports/process_report.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/sdk/reports/report_parts.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::DiagnosticsAsJson;
using internal::Json;
using internal::LagAsJson;
using internal::ParametersAsJson;
using internal::Print;
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

}  // namespace orrery
