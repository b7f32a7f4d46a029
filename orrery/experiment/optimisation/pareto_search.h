#pragma once

#include <cstdint>
#include <vector>

#include "orrery/base/system/executor.h"
#include "orrery/experiment/optimisation/optimise.h"

namespace orrery {

/// A point of a Pareto front. Plain data.
struct FrontPoint {
  EvaluatedPoint point;
  std::int64_t evaluation = 0;  ///< Its number among all evaluations, from 0.

  friend bool operator==(const FrontPoint&, const FrontPoint&) = default;
};

/// The result of a search with several objectives. Plain data.
struct ParetoFront {
  /// The non-dominated points, sorted by the first objective. If no point
  /// satisfies the constraints: the point with the least violation.
  std::vector<FrontPoint> points;
  bool is_feasible = false;
  std::int64_t evaluations = 0;
  std::int64_t failed = 0;  ///< Number of failed evaluations.
  bool is_interrupted = false;
};

/// Searches for the Pareto front of a problem with several objectives by
/// NSGA-II: Deb, Pratap, Agarwal & Meyarivan, "A fast and elitist
/// multiobjective genetic algorithm: NSGA-II", IEEE Trans. Evol. Comput. 6
/// (2002) 182-197, with its simulated binary crossover (index 15), polynomial
/// mutation (index 20) and constrained domination. Each generation has 64
/// points. The first consists of points of a shifted sequence of Sobol' and the
/// guesses. There are 100 generations, unless `max_evaluations` says otherwise.
///
/// The result is the same for any `executor`, to the last bit. It evaluates the
/// points of a generation in parallel.
///
/// @param options the method, the starts and the tolerance are ignored.
/// @throws Error as CheckOptimisation; whatever `take` and the evaluators
///     throw.
[[nodiscard]] ParetoFront SeekFront(const OptimisationProblem& problem,
                                    const OptimisationOptions& options,
                                    Executor& executor,
                                    const OptimisationWatch& watch = {});

}  // namespace orrery
