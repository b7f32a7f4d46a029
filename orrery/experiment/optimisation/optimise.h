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

  /// Of points, by all searches together, which share them alike; those between
  /// which derivatives are taken are not counted. Default: 1000 (n + 1) each,
  /// where n continuous factors are searched over.
  std::optional<std::int64_t> max_evaluations;

  /// A search ends when its steps are below this part of the ranges, or change
  /// the objective by less than its square in proportion.
  double tolerance = 1e-6;

  /// By how much a constraint may be violated, in proportion to the magnitude
  /// of what it compares.
  double feasibility = 1e-6;

  /// Of local searches: the first begins at the guesses, the others at points
  /// of a shifted sequence of Sobol'.
  std::int64_t starts = 1;

  /// Of starts and of the methods that are random.
  std::uint64_t seed = 1;

  /// Of the central differences that derivatives are taken by, as a part of
  /// the ranges.
  double difference_step = 1e-4;

  friend bool operator==(const OptimisationOptions&,
                         const OptimisationOptions&) = default;
};

/// Why a search ended.
enum class SearchEnd : std::uint8_t {
  kConverged,       ///< The steps or the gains were below the tolerance.
  kEnumerated,      ///< All points were evaluated.
  kMaxEvaluations,  ///< There were no evaluations left.
  kStuck,           ///< The method found no better point, as it says by itself.
  kStartFailed,     ///< A local search began at a point that comes to nothing.
  kInterrupted      ///< By who asked for it.
};

/// "it has converged", "all points were evaluated", ...
[[nodiscard]] std::string_view Describe(SearchEnd end) noexcept;

/// A point that a search asked for. Plain data.
struct EvaluatedPoint {
  std::vector<double> values;  ///< Of all factors.
  PointResult evaluation;
  /// By how much the worst constraint is violated, in proportion to the
  /// magnitude of what it compares where the search began; 0 if none is.
  double violation = 0;

  friend bool operator==(const EvaluatedPoint&,
                         const EvaluatedPoint&) = default;
};

/// How far an optimisation has come, or what it has come to. Plain data.
struct OptimisationProgress {
  std::int64_t evaluations = 0;
  std::int64_t failed = 0;  ///< Of these.
  /// The best point: that of the least objective where the constraints hold,
  /// else the one that violates them least; none if all have failed.
  std::optional<EvaluatedPoint> best;
  bool is_feasible = false;  ///< The constraints hold there.
};

/// Plain data.
struct OptimisationResult : OptimisationProgress {
  OptimisationMethod method = OptimisationMethod::kAuto;  ///< That was taken.
  bool is_interrupted = false;
  std::size_t best_search = 0;         ///< That which found it.
  std::vector<SearchEnd> searches;     ///< In their order.
  std::int64_t slope_evaluations = 0;  ///< For derivatives.
};

/// What is to be told to who asks for an optimisation. Each may be empty.
struct OptimisationWatch {
  /// Takes each point in its order: those of the first search, then those of
  /// the second, ...; and how far it has come with it. By one thread at a time.
  std::function<void(const EvaluatedPoint&, const OptimisationProgress&)> take;
  /// When it says no, evaluations at work are given up.
  GoesOn goes_on;
};

/// Seeks the minimum.
///
/// Factors that are whole numbers are enumerated: a search for the others is
/// made for each combination. What a global method finds with three quarters of
/// the evaluations is refined by the local one of kAuto with the rest. A point
/// that comes to nothing or to no finite number is as bad as the worst of its
/// search, and never the best.
///
/// The same for any `executor`, to the last bit: it carries out searches beside
/// each other, or the evaluations of a single one where several are known to be
/// needed.
///
/// @throws Error as CheckOptimisation; what `take` and the evaluators throw.
[[nodiscard]] OptimisationResult Optimise(const OptimisationProblem& problem,
                                          const OptimisationOptions& options,
                                          Executor& executor,
                                          const OptimisationWatch& watch = {});

/// Finds out whether an optimum can be sought so; nothing is evaluated.
/// @throws Error kInvalidArgument for options out of range, a method that
///     cannot take the constraints or the factors, or too many combinations.
void CheckOptimisation(const OptimisationProblem& problem,
                       const OptimisationOptions& options);

/// The local method that kAuto stands for: one that takes derivatives if they
/// are exact and there are no constraints.
/// @param dimension of continuous factors.
[[nodiscard]] OptimisationMethod AutomaticMethod(
    const OptimisationProblem& problem, std::size_t dimension);

}  // namespace orrery
