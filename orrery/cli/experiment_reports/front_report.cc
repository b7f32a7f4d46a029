#include <cstddef>
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

Json ObjectivesAsJson(const MeasuredProblem& problem) {
  Json objectives = Json::array();
  for (std::size_t i = 0; i < problem.num_objectives(); ++i) {
    objectives.push_back(
        {{"name", problem.columns()[problem.ColumnOfObjective(i)].name},
         {"goal",
          problem.goal(i) == OptimisationGoal::kMinimise ? "minimize"
                                                         : "maximize"}});
  }
  return objectives;
}

Json PointAsJson(const MeasuredProblem& problem, const FrontPoint& its) {
  const std::vector<double> row = problem.RowOf(its.point);
  Json values = Json::object();
  for (std::size_t k = 0; k < problem.space().size(); ++k) {
    values[problem.columns()[k].name] = row[k];
  }
  Json objectives = Json::array();
  for (std::size_t i = 0; i < problem.num_objectives(); ++i) {
    objectives.push_back(row[problem.ColumnOfObjective(i)]);
  }
  Json missed = Json::array();
  for (const ConstraintValue& constraint : its.point.evaluation.constraints) {
    missed.push_back(constraint.value);
  }
  return {{"run", its.evaluation + 1},
          {"values", std::move(values)},
          {"objectives", std::move(objectives)},
          {"missed_by", std::move(missed)}};
}

// A row of the table as text.
Row RowOf(const Json& point) {
  Row row = {point["run"].dump()};
  for (const Json& objective : point["objectives"]) {
    row.push_back(NumberText(objective));
  }
  for (const auto& [name, value] : point["values"].items()) {
    row.push_back(NumberText(value));
  }
  return row;
}

}  // namespace

std::string MessageOf(const FrontReport& report) {
  if (report.front.is_interrupted) {
    return "the search was interrupted";
  }
  if (report.front.points.empty()) {
    return "no point comes to anything: " + report.first_failure +
           "; give ranges in which the model runs";
  }
  return report.front.is_feasible
             ? ""
             : "no point satisfies the constraints; this one misses them least";
}

std::string JsonReport(const FrontReport& report) {
  const ParetoFront& front = report.front;
  Json points = Json::array();
  for (const FrontPoint& point : front.points) {
    points.push_back(PointAsJson(report.problem, point));
  }
  return Print({{"status",
                 front.is_interrupted ? "interrupted"
                 : front.is_feasible  ? "completed"
                                      : "failed"},
                {"message", MessageOf(report)},
                {"model", report.problem.subject().name()},
                {"objectives", ObjectivesAsJson(report.problem)},
                {"front", std::move(points)},
                {"method", "nsga-ii"},
                {"evaluations", front.evaluations},
                {"failed", front.failed},
                {"run_ms", report.run_ms},
                {"diagnostics", Json::array()}});
}

std::string FrontText(const Json& report) {
  std::string goals;
  for (const Json& objective : report["objectives"]) {
    goals +=
        fmt::format("{}{} of {}",
                    goals.empty() ? "" : ", ",
                    objective["goal"] == "minimize" ? "minimum" : "maximum",
                    objective["name"].get<std::string>());
  }
  std::string text =
      fmt::format("{}  {}  {} by {}",
                  report["model"].get<std::string>(),
                  goals,
                  Counted(report["evaluations"], "evaluation", "evaluations"),
                  report["method"].get<std::string>());
  if (const std::int64_t failed = report["failed"]; failed > 0) {
    text += fmt::format(", {} failed", failed);
  }
  text += "  " + Milliseconds(report["run_ms"]) + "\n";
  if (const std::string message = report["message"]; !message.empty()) {
    text += "  " + message + "\n";
  }
  const Json& front = report["front"];
  if (front.empty()) {
    return text;
  }
  std::vector<Row> rows = {{"run"}};
  for (const Json& objective : report["objectives"]) {
    rows[0].push_back(objective["name"]);
  }
  for (const auto& [name, value] : front[0]["values"].items()) {
    rows[0].push_back(name);
  }
  for (const Json& point : front) {
    rows.push_back(RowOf(point));
  }
  return text + InColumns(rows) +
         fmt::format("  {} than which none is better in all\n",
                     Counted(front.size(), "point", "points"));
}

}  // namespace orrery::cli
