#include "orrery/cli/saving/stored_history.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace orrery::cli {

StoredHistory::StoredHistory(const MeasuredProblem& problem,
                             SavedExperiment& saved,
                             std::int64_t stored)
    : saved_(saved), stored_(stored), points_(problem) {}

void StoredHistory::Add(const EvaluatedPoint& point) {
  points_.Add(point);
  if (clock_.now() - delivered_ >= std::chrono::milliseconds(100)) {
    Deliver();
  }
}

void StoredHistory::Deliver() {
  delivered_ = clock_.now();
  const RunTable& table = points_.table();
  const std::int64_t rows = std::ssize(table.status);
  if (rows <= stored_) {
    return;
  }
  if (saved_.is_saved()) {
    RunBatch batch{
        .first = stored_,
        .status = {table.status.begin() + stored_, table.status.end()},
        .values = {},
        .failures = {}};
    for (const std::vector<double>& column : table.values) {
      batch.values.emplace_back(column.begin() + stored_, column.end());
    }
    std::ranges::copy_if(
        points_.failures(),
        std::back_inserter(batch.failures),
        [&](const RunFailure& failure) { return failure.run >= stored_; });
    saved_.store().AppendRuns(saved_.id(), batch);
  }
  stored_ = rows;
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
