#include "orrery/sdk/search_history.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/numbers/random.h"
#include "orrery/experiment/runs/run_table.h"
#include "orrery/experiment/runs/run_warnings.h"
#include "orrery/sdk/reports/value_text.h"

namespace orrery {

SearchHistory::SearchHistory(const MeasuredProblem& problem)
    : problem_(problem), table_(MakeRunTable(problem.columns(), 0)) {}

void SearchHistory::Add(const EvaluatedPoint& point) {
  const std::string& failure = point.evaluation.failure;
  if (!failure.empty()) {
    if (failures_.empty()) {
      first_failure_ = "at " + PlaceOf(point) + ": " + failure;
    }
    failures_.push_back({.run = std::ssize(table_.status), .message = failure});
  }
  const std::vector<double> row = problem_.RowOf(point);
  for (std::size_t k = 0; k < row.size(); ++k) {
    table_.values[k].push_back(row[k]);
  }
  table_.status.push_back(failure.empty() ? RunStatus::kCompleted
                                          : RunStatus::kFailed);
}

std::vector<Diagnostic> SearchHistory::WarningsBeside(
    const std::vector<double>& best) const {
  constexpr std::size_t kMostNeighbours = 10;
  constexpr std::size_t kLeastNeighbours = 4;
  std::vector<std::pair<double, RunStatus>> others;
  for (std::size_t run = 0; run < table_.status.size(); ++run) {
    if (const double distance = DistanceOf(run, best); distance > 0) {
      others.emplace_back(distance, table_.status[run]);
    }
  }
  const std::size_t count = std::min(others.size(), kMostNeighbours);
  std::ranges::partial_sort(
      others, others.begin() + static_cast<std::ptrdiff_t>(count));
  const auto failed = static_cast<std::size_t>(
      std::ranges::count(std::span(others).first(count),
                         RunStatus::kFailed,
                         &std::pair<double, RunStatus>::second));
  if (count < kLeastNeighbours || 2 * failed <= count) {
    return {};
  }
  return {{.severity = Severity::kWarning,
           .message = fmt::format(
               "of the {} points next to the optimum {} failed (the first "
               "one of all, {}): it may be but the edge of where the model "
               "runs; narrow the ranges of --vary to where it does, or say "
               "by --subject-to where that is",
               count,
               failed,
               first_failure_)}};
}

std::string SearchHistory::PlaceOf(const EvaluatedPoint& point) const {
  std::string text;
  for (std::size_t k = 0; k < point.values.size(); ++k) {
    const RunColumn& column = table_.columns[k];
    text += fmt::format("{}{} = {}",
                        text.empty() ? "" : ", ",
                        column.name,
                        ValueText(*column.value_names, point.values[k]));
  }
  return text;
}

// Relative to the ranges.
double SearchHistory::DistanceOf(std::size_t run,
                                 const std::vector<double>& best) const {
  double distance = 0;
  for (std::size_t k = 0; k < best.size(); ++k) {
    const SearchBounds& bounds = problem_.space().bounds(k);
    distance = std::max(
        distance,
        std::abs(table_.values[k][run] - best[k]) / (bounds.high - bounds.low));
  }
  return distance;
}

Trajectory RunAt(const MeasuredProblem& problem,
                 const std::vector<double>& values,
                 std::uint64_t seed) {
  return problem.subject()
      .MakeRunner(problem.space().names(), {})
      ->Run(values, ReplicationSeed(seed, 0), {})
      .trajectory;
}

std::vector<Diagnostic> WarningsAtOptimum(const MeasuredProblem& problem,
                                          const OptimisationResult& result,
                                          const SearchHistory& history,
                                          std::uint64_t seed) {
  if (!result.best || result.is_interrupted) {
    return {};
  }
  const std::vector<double>& best = result.best->values;
  std::vector<Diagnostic> warnings = WarningsAt(problem.subject(),
                                                problem.space().names(),
                                                best,
                                                ReplicationSeed(seed, 0));
  for (Diagnostic& warning : warnings) {
    warning.message.insert(0, "at the optimum: ");
  }
  if (result.searches.front() != SearchEnd::kEnumerated) {
    std::ranges::copy(history.WarningsBeside(best),
                      std::back_inserter(warnings));
  }
  return warnings;
}

}  // namespace orrery
