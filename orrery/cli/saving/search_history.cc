#include "orrery/cli/saving/search_history.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {

SearchHistory::SearchHistory(const MeasuredProblem& problem,
                             SavedExperiment& saved,
                             std::int64_t stored)
    : problem_(problem),
      saved_(saved),
      stored_(stored),
      table_(MakeRunTable(problem.columns(), 0)) {
  batch_.first = stored;
  batch_.values.resize(problem.columns().size());
}

void SearchHistory::Add(const EvaluatedPoint& point) {
  const bool has_failed = !point.evaluation.failure.empty();
  const RunStatus status =
      has_failed ? RunStatus::kFailed : RunStatus::kCompleted;
  const std::int64_t run = std::ssize(table_.status);
  const bool is_stored = run < stored_;
  if (has_failed && first_failure_.empty()) {
    first_failure_ = "at " + PlaceOf(point) + ": " + point.evaluation.failure;
  }
  const std::vector<double> row = problem_.RowOf(point);
  for (std::size_t k = 0; k < row.size(); ++k) {
    table_.values[k].push_back(row[k]);
  }
  table_.status.push_back(status);
  if (is_stored) {
    return;
  }
  if (has_failed) {
    batch_.failures.push_back(
        {.run = run, .message = point.evaluation.failure});
  }
  for (std::size_t k = 0; k < row.size(); ++k) {
    batch_.values[k].push_back(row[k]);
  }
  batch_.status.push_back(status);
  if (clock_.now() - delivered_ >= std::chrono::milliseconds(100)) {
    Deliver();
  }
}

void SearchHistory::Deliver() {
  if (saved_.is_saved() && !batch_.status.empty()) {
    saved_.store().AppendRuns(saved_.id(), batch_);
  }
  batch_ = {.first = std::max(std::ssize(table_.status), stored_)};
  batch_.values.resize(table_.columns.size());
  delivered_ = clock_.now();
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

RememberedProblem::Known KnownPoints(ExperimentStore& store,
                                     const ExperimentRecord& record,
                                     const MeasuredProblem& problem) {
  const RunTable table = store.ReadRuns(record.info.id);
  std::vector<std::string> failures(table.status.size());
  for (const RunFailure& failure : store.ReadFailures(
           record.info.id, static_cast<std::size_t>(record.info.runs.failed))) {
    failures.at(static_cast<std::size_t>(failure.run)) = failure.message;
  }
  RememberedProblem::Known known;
  std::vector<double> row(table.columns.size());
  for (std::size_t run = 0; run < table.status.size(); ++run) {
    if (table.status[run] == RunStatus::kMissing) {
      continue;
    }
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = table.values[k][run];
    }
    known.emplace(
        std::vector<double>(
            row.begin(),
            row.begin() + static_cast<std::ptrdiff_t>(problem.space().size())),
        problem.ResultIn(row, failures[run]));
  }
  return known;
}

}  // namespace orrery::cli
