#include "orrery/cli/experiment_reports/optimisation_text.h"

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "orrery/cli/experiment_reports/front_text.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {
namespace {

// More digits than for other results, since further computations use an
// optimum.
std::string Digits(double number) {
  return fmt::format("{:.9g}", number);
}

std::string Headline(const StoredOptimisation& report) {
  std::string text =
      fmt::format("{}  {} of {}  {} by {}",
                  report.model,
                  report.goal == "minimize" ? "minimum" : "maximum",
                  report.objective,
                  Counted(report.evaluations, "evaluation", "evaluations"),
                  report.method);
  if (report.failed > 0) {
    text += fmt::format(", {} failed", report.failed);
  }
  if (report.slope_evaluations > 0) {
    text += fmt::format(", {} more for derivatives", report.slope_evaluations);
  }
  return fmt::format("{}  {}\n", text, Milliseconds(report.run_ms));
}

std::string ConstraintText(const StoredConstraint& constraint) {
  if (!constraint.holds) {
    return fmt::format("is missed by {:.6g}", std::abs(constraint.missed_by));
  }
  return constraint.is_active ? "holds, with nothing to spare"
                              : fmt::format("holds, with {:.6g} to spare",
                                            -constraint.missed_by);
}

std::string PointText(const StoredOptimisation& report) {
  std::vector<Row> rows = {{report.objective, Digits(report.objective_value)}};
  for (const StoredValue& value : *report.values) {
    rows.push_back(
        {value.name + (value.unit.empty() ? "" : " " + value.unit),
         value.value_name.empty() ? Digits(value.value) : value.value_name,
         value.bound.empty()
             ? ""
             : fmt::format("at its {} bound",
                           value.bound == "low" ? "lower" : "upper")});
  }
  for (const StoredConstraint& constraint : report.constraints) {
    rows.push_back({constraint.text, ConstraintText(constraint)});
  }
  return InColumns(rows);
}

std::string EndText(const StoredOptimisation& report) {
  if (report.searches == 1) {
    return fmt::format("  {}\n", report.ends.front().why);
  }
  std::string text = fmt::format("  the best of {} searches: number {}\n",
                                 report.searches,
                                 report.best_search);
  for (const StoredSearchEnd& end : report.ends) {
    text += fmt::format("    of {}: {}\n", end.searches, end.why);
  }
  return text;
}

}  // namespace

std::string TextReport(const StoredOptimisation& report) {
  return Headline(report) +
         (report.message.empty() ? "" : "  " + report.message + "\n") +
         (report.values ? PointText(report) : "") + EndText(report);
}

std::string OptimisationText(const std::string& json) {
  return std::visit([](const auto& report) { return TextReport(report); },
                    OptimisationFromJson(json));
}

}  // namespace orrery::cli
