#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "orrery/base/system/executor.h"
#include "orrery/experiment/optimisation/optimisation_method.h"
#include "orrery/experiment/optimisation/optimisation_problem.h"

namespace orrery {

/// Plain data.
struct OptimisationOptions {
  OptimisationMethod method = OptimisationMethod::kAuto;

  /// Evaluations of points by all searches together, in equal shares; those for
  /// derivatives are not counted. Default for each search: 1000 (n + 1) for n
  /// continuous factors.
  std::optional<std::int64_t> max_evaluations;

  /// A search ends when its steps are below this fraction of the ranges, or
  /// change the objective by less than its square, relative to the objective.
  double tolerance = 1e-6;

  /// Allowed violation of a constraint, relative to the magnitude of the
  /// quantities that it compares.
  double feasibility = 1e-6;

  /// Number of local searches. The first begins at the guesses, the others at
  /// points of a shifted sequence of Sobol'.
  std::int64_t starts = 1;

  /// Seed of the starts and of the random methods.
  std::uint64_t seed = 1;

  /// Step of the central differences for derivatives, as a fraction of the
  /// ranges.
  double difference_step = 1e-4;

  friend bool operator==(const OptimisationOptions&,
                         const OptimisationOptions&) = default;
};

/// The reason why a search ended.
enum class SearchEnd : std::uint8_t {
  kConverged,       ///< The steps or the improvements were below the tolerance.
  kEnumerated,      ///< All points were evaluated.
  kMaxEvaluations,  ///< No evaluations were left.
  kStuck,           ///< The method reported that it found no better point.
  kStartFailed,     ///< A local search began at a point that fails.
  kInterrupted      ///< The caller interrupted it.
};

/// "it has converged", "all points were evaluated", ...
[[nodiscard]] std::string_view Describe(SearchEnd end) noexcept;

/// A point that a search evaluated. Plain data.
struct EvaluatedPoint {
  std::vector<double> values;  ///< The values of all factors.
  PointResult evaluation;
  /// Violation of the worst constraint, relative to its magnitude at the start
  /// of the search; 0 if all hold.
  double violation = 0;

  friend bool operator==(const EvaluatedPoint&,
                         const EvaluatedPoint&) = default;
};

/// The progress or the result of an optimisation. Plain data.
struct OptimisationProgress {
  std::int64_t evaluations = 0;
  std::int64_t failed = 0;  ///< Number of failed evaluations.
  /// The best point: the one with the least objective where the constraints
  /// hold, otherwise the one with the least violation. Without a value if all
  /// have failed.
  std::optional<EvaluatedPoint> best;
  bool is_feasible = false;  ///< The constraints hold at `best`.
};

/// Plain data.
struct OptimisationResult : OptimisationProgress {
  OptimisationMethod method = OptimisationMethod::kAuto;  ///< The method used.
  bool is_interrupted = false;
  std::size_t best_search = 0;         ///< The search that found `best`.
  std::vector<SearchEnd> searches;     ///< The end of each search, in order.
  std::int64_t slope_evaluations = 0;  ///< For derivatives.
};

/// Callbacks of the caller of an optimisation. Each may be empty.
struct OptimisationWatch {
  /// Receives each point, with the progress that includes it: first the points
  /// of the first search, then of the second, ... Called by one thread at a
  /// time.
  std::function<void(const EvaluatedPoint&, const OptimisationProgress&)> take;
  /// Evaluations in progress are stopped when it returns false.
  GoesOn goes_on;
};

/// Searches for the minimum.
///
/// Whole-number factors are enumerated: each combination has its own search
/// over the other factors. A global method uses three quarters of the
/// evaluations; the local method of kAuto then refines its result with the
/// rest. A point that fails or has no finite objective counts as the worst
/// point of its search, and is never the best.
///
/// The result is the same for any `executor`, to the last bit. It runs searches
/// in parallel, or the evaluations of one search where several are known to be
/// needed.
///
/// @throws Error as CheckOptimisation; whatever `take` and the evaluators
///     throw.
[[nodiscard]] OptimisationResult Optimise(const OptimisationProblem& problem,
                                          const OptimisationOptions& options,
                                          Executor& executor,
                                          const OptimisationWatch& watch = {});

/// Checks that an optimisation is possible; evaluates nothing.
/// @throws Error kInvalidArgument for options out of range, a method that
///     cannot take the constraints or the factors, or too many combinations.
void CheckOptimisation(const OptimisationProblem& problem,
                       const OptimisationOptions& options);

/// Returns the local method that kAuto stands for. It uses derivatives if they
/// are exact and there are no constraints.
/// @param dimension number of continuous factors.
[[nodiscard]] OptimisationMethod AutomaticMethod(
    const OptimisationProblem& problem, std::size_t dimension);

}  // namespace orrery
