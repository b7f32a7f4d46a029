#include "orrery/cli/experiment_reports/front_text.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/cli/experiment_reports/optimisation_text.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {
namespace {

// A row of the table as text.
Row RowOf(const StoredFrontPoint& point) {
  Row row = {std::to_string(point.run)};
  for (const double objective : point.objectives) {
    row.push_back(NumberText(objective));
  }
  for (const double value : point.values) {
    row.push_back(NumberText(value));
  }
  return row;
}

}  // namespace

std::string TextReport(const StoredFront& report) {
  std::string goals;
  for (const StoredFront::Objective& objective : report.objectives) {
    goals += fmt::format("{}{} of {}",
                         goals.empty() ? "" : ", ",
                         objective.goal == "minimize" ? "minimum" : "maximum",
                         objective.name);
  }
  std::string text =
      fmt::format("{}  {}  {} by {}",
                  report.model,
                  goals,
                  Counted(report.evaluations, "evaluation", "evaluations"),
                  report.method);
  if (report.failed > 0) {
    text += fmt::format(", {} failed", report.failed);
  }
  text += "  " + Milliseconds(report.run_ms) + "\n";
  if (!report.message.empty()) {
    text += "  " + report.message + "\n";
  }
  if (report.points.empty()) {
    return text;
  }
  std::vector<Row> rows = {{"run"}};
  for (const StoredFront::Objective& objective : report.objectives) {
    rows[0].push_back(objective.name);
  }
  rows[0].insert(rows[0].end(), report.names.begin(), report.names.end());
  for (const StoredFrontPoint& point : report.points) {
    rows.push_back(RowOf(point));
  }
  return text + InColumns(rows) +
         fmt::format("  {} than which none is better in all\n",
                     Counted(report.points.size(), "point", "points"));
}

}  // namespace orrery::cli
