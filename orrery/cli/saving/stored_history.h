#pragma once

#include <cstdint>

#include "orrery/cli/saving/saving.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/search_history.h"
#include "orrery/sdk/steady_clock.h"

namespace orrery::cli {

/// The points of an optimisation, whose rows are stored now and then.
class StoredHistory {
 public:
  /// @param stored number of rows that are in the store already.
  StoredHistory(const MeasuredProblem& problem,
                SavedExperiment& saved,
                std::int64_t stored = 0);

  void Add(const EvaluatedPoint& point);

  /// Stores the rows that are not in the store yet.
  void Deliver();

  [[nodiscard]] const SearchHistory& points() const { return points_; }

 private:
  SavedExperiment& saved_;
  std::int64_t stored_;  // Rows.
  SearchHistory points_;
  SteadyClock clock_;
  Duration delivered_ = clock_.now();
};

/// Returns the known points of an interrupted optimisation.
[[nodiscard]] RememberedProblem::Known KnownPoints(
    ExperimentStore& store,
    const ExperimentRecord& record,
    const MeasuredProblem& problem);

}  // namespace orrery::cli
