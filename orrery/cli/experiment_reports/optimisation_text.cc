#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/experiment_reports/optimisation_reports.h"
#include "orrery/cli/run_reports/json_values.h"
#include "orrery/cli/run_reports/reports.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {
namespace {

// More digits than for other results, since further computations use an
// optimum.
std::string Digits(const Json& number) {
  return fmt::format("{:.9g}", number.get<double>());
}

std::string Headline(const Json& report) {
  std::string text =
      fmt::format("{}  {} of {}  {} by {}",
                  report["model"].get<std::string>(),
                  report["goal"] == "minimize" ? "minimum" : "maximum",
                  report["objective"]["name"].get<std::string>(),
                  Counted(report["evaluations"], "evaluation", "evaluations"),
                  report["method"].get<std::string>());
  if (const std::int64_t failed = report["failed"]; failed > 0) {
    text += fmt::format(", {} failed", failed);
  }
  if (const std::int64_t slopes = report["slope_evaluations"]; slopes > 0) {
    text += fmt::format(", {} more for derivatives", slopes);
  }
  return fmt::format("{}  {}\n", text, Milliseconds(report["run_ms"]));
}

std::string ConstraintText(const Json& constraint) {
  const double missed_by = constraint["missed_by"];
  if (!constraint["holds"].get<bool>()) {
    return fmt::format("is missed by {:.6g}", std::abs(missed_by));
  }
  return constraint["active"].get<bool>()
             ? "holds, with nothing to spare"
             : fmt::format("holds, with {:.6g} to spare", -missed_by);
}

std::string PointText(const Json& report) {
  std::vector<Row> rows = {{report["objective"]["name"].get<std::string>(),
                            Digits(report["objective"]["value"])}};
  for (const Json& value : report["values"]) {
    const std::string unit = value["unit"];
    // Missing in reports that an older Orrery has stored.
    const Json name = value.value("value_name", Json(nullptr));
    const Json& bound = value["at_bound"];
    rows.push_back(
        {value["name"].get<std::string>() + (unit.empty() ? "" : " " + unit),
         name.is_null() ? Digits(value["value"]) : name.get<std::string>(),
         bound.is_null() ? ""
                         : fmt::format("at its {} bound",
                                       bound == "low" ? "lower" : "upper")});
  }
  for (const Json& constraint : report["constraints"]) {
    rows.push_back(
        {constraint["text"].get<std::string>(), ConstraintText(constraint)});
  }
  return InColumns(rows);
}

std::string EndText(const Json& report) {
  const std::int64_t searches = report["searches"];
  if (searches == 1) {
    return fmt::format("  {}\n", report["ends"][0]["why"].get<std::string>());
  }
  std::string text = fmt::format("  the best of {} searches: number {}\n",
                                 searches,
                                 report["best_search"].get<std::int64_t>());
  for (const Json& end : report["ends"]) {
    text += fmt::format("    of {}: {}\n",
                        end["searches"].get<std::int64_t>(),
                        end["why"].get<std::string>());
  }
  return text;
}

}  // namespace

std::string OptimisationText(const std::string& json) {
  const Json report = ParsePrinted(json);
  if (report.contains("front")) {
    return FrontText(report);
  }
  const std::string message = report["message"];
  return Headline(report) + (message.empty() ? "" : "  " + message + "\n") +
         (report["values"].is_null() ? "" : PointText(report)) +
         EndText(report);
}

}  // namespace orrery::cli
