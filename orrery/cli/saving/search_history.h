#pragma once

#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/steady_clock.h"

namespace orrery::cli {

/// The points of an optimisation as they are evaluated: a table whose rows are
/// stored now and then.
class SearchHistory {
 public:
  /// @param stored number of rows that are in the store already.
  SearchHistory(const MeasuredProblem& problem,
                SavedExperiment& saved,
                std::int64_t stored = 0);

  void Add(const EvaluatedPoint& point);

  /// Stores the rows that are not in the store yet.
  void Deliver();

  [[nodiscard]] const RunTable& table() const { return table_; }

  [[nodiscard]] const std::string& first_failure() const {
    return first_failure_;
  }

  /// Warns if the points next to the best one have failed: it may be no
  /// optimum, even if the search says so.
  [[nodiscard]] std::vector<Diagnostic> WarningsBeside(
      const std::vector<double>& best) const;

 private:
  [[nodiscard]] std::string PlaceOf(const EvaluatedPoint& point) const;
  [[nodiscard]] double DistanceOf(std::size_t run,
                                  const std::vector<double>& best) const;

  const MeasuredProblem& problem_;
  SavedExperiment& saved_;
  std::int64_t stored_;
  RunTable table_;
  RunBatch batch_;  // Rows that are not in the store yet.
  std::string first_failure_;
  SteadyClock clock_;
  Duration delivered_ = clock_.now();
};

/// Returns the known points of an interrupted optimisation.
[[nodiscard]] RememberedProblem::Known KnownPoints(
    ExperimentStore& store,
    const ExperimentRecord& record,
    const MeasuredProblem& problem);

}  // namespace orrery::cli
