#include "orrery/sdk/reports/optimisation_report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/text/number_text.h"
#include "orrery/sdk/json/json_values.h"
#include "orrery/sdk/reports/value_text.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::DiagnosticsAsJson;
using internal::Json;
using internal::ParsePrinted;
using internal::Print;

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

StoredOptimisation OptimumFrom(const Json& json) {
  StoredOptimisation stored{.model = json.at("model"),
                            .message = json.at("message"),
                            .goal = json.at("goal"),
                            .objective = json.at("objective").at("name"),
                            .method = json.at("method")};
  if (!json.at("values").is_null()) {
    stored.objective_value = json.at("objective").at("value");
    std::vector<StoredValue>& values = stored.values.emplace();
    for (const Json& value : json.at("values")) {
      // Missing in reports that an older Orrery has stored.
      const Json name = value.value("value_name", Json(nullptr));
      const Json& bound = value.at("at_bound");
      values.push_back(
          {.name = value.at("name"),
           .unit = value.at("unit"),
           .value = value.at("value"),
           .value_name = name.is_null() ? "" : name.get<std::string>(),
           .bound = bound.is_null() ? "" : bound.get<std::string>()});
    }
    for (const Json& constraint : json.at("constraints")) {
      stored.constraints.push_back({.text = constraint.at("text"),
                                    .missed_by = constraint.at("missed_by"),
                                    .holds = constraint.at("holds"),
                                    .is_active = constraint.at("active")});
    }
  }
  json.at("evaluations").get_to(stored.evaluations);
  json.at("failed").get_to(stored.failed);
  json.at("slope_evaluations").get_to(stored.slope_evaluations);
  json.at("searches").get_to(stored.searches);
  json.at("best_search").get_to(stored.best_search);
  for (const Json& end : json.at("ends")) {
    stored.ends.push_back(
        {.why = end.at("why"), .searches = end.at("searches")});
  }
  json.at("run_ms").get_to(stored.run_ms);
  return stored;
}

StoredFront FrontFrom(const Json& json) {
  StoredFront stored{.model = json.at("model"),
                     .message = json.at("message"),
                     .objectives = {},
                     .names = {},
                     .points = {},
                     .method = json.at("method")};
  for (const Json& objective : json.at("objectives")) {
    stored.objectives.push_back(
        {.name = objective.at("name"), .goal = objective.at("goal")});
  }
  for (const Json& point : json.at("front")) {
    StoredFrontPoint& its = stored.points.emplace_back();
    point.at("run").get_to(its.run);
    for (const Json& objective : point.at("objectives")) {
      its.objectives.push_back(objective.get<double>());
    }
    for (const auto& [name, value] : point.at("values").items()) {
      its.values.push_back(value.get<double>());
      if (stored.points.size() == 1) {
        stored.names.push_back(name);
      }
    }
  }
  json.at("evaluations").get_to(stored.evaluations);
  json.at("failed").get_to(stored.failed);
  json.at("run_ms").get_to(stored.run_ms);
  return stored;
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

std::variant<StoredOptimisation, StoredFront> OptimisationFromJson(
    const std::string& report) {
  const Json json = ParsePrinted(report);
  if (json.contains("front")) {
    return FrontFrom(json);
  }
  return OptimumFrom(json);
}

std::optional<std::vector<ParameterText>> OptimumIn(const std::string& report) {
  const Json best =
      report.empty() ? Json() : ParsePrinted(report).value("values", Json());
  if (best.is_null()) {
    return std::nullopt;
  }
  std::vector<ParameterText> values;
  for (const Json& value : best) {
    values.push_back({.name = value.at("name").get<std::string>(),
                      .value = ShortestText(value.at("value").get<double>())});
  }
  return values;
}

}  // namespace orrery
