#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/experiment_reports/optimisation_reports.h"
#include "orrery/cli/run_reports/json_values.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {
namespace {

// "low" or "high" if the value is at a bound, up to a fraction of the range.
Json BoundAt(const SearchBounds& bounds, double value) {
  constexpr double kPart = 1e-5;
  const double distance = kPart * (bounds.high - bounds.low);
  if (value <=
      bounds.low +
          (bounds.scale == SearchScale::kLog ? kPart * bounds.low : distance)) {
    return "low";
  }
  return value >= bounds.high - distance ? Json("high") : Json(nullptr);
}

Json ValuesAsJson(const MeasuredProblem& problem, const EvaluatedPoint& point) {
  Json values = Json::array();
  for (std::size_t k = 0; k < point.values.size(); ++k) {
    const SearchBounds& bounds = problem.space().bounds(k);
    const RunColumn& column = problem.columns()[k];
    const std::string name = NameOfValue(*column.value_names, point.values[k]);
    values.push_back({{"name", column.name},
                      {"unit", column.unit},
                      {"value", point.values[k]},
                      {"value_name", name.empty() ? Json(nullptr) : Json(name)},
                      {"low", bounds.low},
                      {"high", bounds.high},
                      {"at_bound", BoundAt(bounds, point.values[k])}});
  }
  return values;
}

// A constraint without a margin is active.
Json ConstraintsAsJson(const OptimisationReport& report,
                       const EvaluatedPoint& point) {
  constexpr double kPart = 1e-4;
  const MeasuredProblem& problem = report.problem;
  const std::size_t first = problem.space().size() + 1;
  Json constraints = Json::array();
  for (std::size_t k = 0; k < problem.constraints().size(); ++k) {
    const ConstraintValue& its = point.evaluation.constraints[k];
    const bool is_equation =
        problem.constraints()[k] == ConstraintKind::kEquality;
    constraints.push_back(
        {{"text", problem.columns()[first + k].name},
         {"missed_by", its.value},
         {"holds",
          (is_equation ? std::abs(its.value) : its.value) <=
              report.options.feasibility * its.scale},
         {"active", is_equation || its.value >= -kPart * its.scale}});
  }
  return constraints;
}

// The reasons of the ends of searches, each with the number of searches.
Json EndsAsJson(const std::vector<SearchEnd>& searches) {
  Json ends = Json::array();
  for (const SearchEnd end :
       std::set<SearchEnd>(searches.begin(), searches.end())) {
    ends.push_back({{"why", Describe(end)},
                    {"searches", std::ranges::count(searches, end)}});
  }
  return ends;
}

std::string_view StatusOf(const OptimisationReport& report) {
  if (report.result.is_interrupted) {
    return "interrupted";
  }
  return report.result.is_feasible ? "completed" : "failed";
}

}  // namespace

std::string MessageOf(const OptimisationReport& report) {
  if (report.result.is_interrupted) {
    return "the search was interrupted";
  }
  if (!report.result.best) {
    const SearchBounds& bounds = report.problem.space().bounds(0);
    const bool could_not_begin =
        std::ranges::count(report.result.searches, SearchEnd::kStartFailed) ==
        std::ssize(report.result.searches);
    return "no point comes to anything: " + report.first_failure + "; " +
           (could_not_begin
                ? fmt::format(
                      "begin where the model runs, by a guess before the "
                      "bounds, as {}=GUESS[{:.6g},{:.6g}], or by several "
                      "--starts",
                      report.problem.columns().front().name,
                      bounds.low,
                      bounds.high)
                : "give ranges in which the model runs");
  }
  return report.result.is_feasible
             ? ""
             : "no point satisfies the constraints; this one misses them least";
}

std::string JsonReport(const OptimisationReport& report) {
  const OptimisationResult& result = report.result;
  const MeasuredProblem& problem = report.problem;
  const std::size_t objective = problem.space().size();
  const bool is_minimum = problem.goal() == OptimisationGoal::kMinimise;
  return Print(
      {{"status", StatusOf(report)},
       {"message", MessageOf(report)},
       {"model", problem.subject().name()},
       {"goal", is_minimum ? "minimize" : "maximize"},
       {"objective",
        {{"name", problem.columns()[objective].name},
         {"value",
          result.best ? Json(problem.RowOf(*result.best)[objective])
                      : Json(nullptr)}}},
       {"values",
        result.best ? ValuesAsJson(problem, *result.best) : Json(nullptr)},
       {"constraints",
        result.best ? ConstraintsAsJson(report, *result.best) : Json(nullptr)},
       {"method", InfoOf(result.method).name},
       {"evaluations", result.evaluations},
       {"failed", result.failed},
       {"slope_evaluations", result.slope_evaluations},
       {"searches", result.searches.size()},
       {"best_search", result.best_search + 1},
       {"ends", EndsAsJson(result.searches)},
       {"run_ms", report.run_ms},
       {"diagnostics", DiagnosticsAsJson(report.warnings)}});
}

}  // namespace orrery::cli
