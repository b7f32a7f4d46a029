#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/experiment/optimisation/measured_problem.h"
#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/results/trajectory.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

/// The points of an optimisation in the order in which they were evaluated: a
/// row each.
class SearchHistory {
 public:
  /// @param problem must outlive the history.
  explicit SearchHistory(const MeasuredProblem& problem);

  void Add(const EvaluatedPoint& point);

  [[nodiscard]] const RunTable& table() const noexcept { return table_; }

  /// By row; one for each point that failed.
  [[nodiscard]] const std::vector<RunFailure>& failures() const noexcept {
    return failures_;
  }

  /// "at k = 2: ..."; empty if no point has failed.
  [[nodiscard]] const std::string& first_failure() const noexcept {
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
  RunTable table_;
  std::vector<RunFailure> failures_;
  std::string first_failure_;
};

/// Repeats the run of a point with all recorded signals.
/// @param seed of the optimisation.
[[nodiscard]] Trajectory RunAt(const MeasuredProblem& problem,
                               const std::vector<double>& values,
                               std::uint64_t seed);

/// The warnings of the run at the optimum, and of the points beside it. There
/// are none of a search that was interrupted: who stops it does not wait for
/// another run.
/// @param seed of the optimisation.
[[nodiscard]] std::vector<Diagnostic> WarningsAtOptimum(
    const MeasuredProblem& problem,
    const OptimisationResult& result,
    const SearchHistory& history,
    std::uint64_t seed);

}  // namespace orrery
