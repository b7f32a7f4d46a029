#pragma once

#include <cstdint>
#include <vector>

#include "orrery/base/system/executor.h"
#include "orrery/experiment/optimisation/optimise.h"

namespace orrery {

/// A point of a Pareto front. Plain data.
struct FrontPoint {
  EvaluatedPoint point;
  std::int64_t evaluation = 0;  ///< Its number among all, from 0.

  friend bool operator==(const FrontPoint&, const FrontPoint&) = default;
};

/// What a search for several objectives has come to. Plain data.
struct ParetoFront {
  /// Points than which no point that was found is better in one objective and
  /// as good in the others, by the first objective; where no point satisfies
  /// the constraints, the one that misses them least.
  std::vector<FrontPoint> points;
  bool is_feasible = false;
  std::int64_t evaluations = 0;
  std::int64_t failed = 0;  ///< Of these.
  bool is_interrupted = false;
};

/// Seeks the Pareto front of a problem with several objectives by NSGA-II: Deb,
/// Pratap, Agarwal & Meyarivan, "A fast and elitist multiobjective genetic
/// algorithm: NSGA-II", IEEE Trans. Evol. Comput. 6 (2002) 182-197, with its
/// simulated binary crossover (index 15), polynomial mutation (index 20) and
/// constrained domination. Generations have 64 points, the first those of a
/// shifted sequence of Sobol' and the guesses; there are 100 generations unless
/// `max_evaluations` says otherwise.
///
/// The same for any `executor`, to the last bit: it evaluates the points of a
/// generation beside each other.
///
/// @param options of which the method, the starts and the tolerance are not
///     regarded.
/// @throws Error as CheckOptimisation; what `take` and the evaluators throw.
[[nodiscard]] ParetoFront SeekFront(const OptimisationProblem& problem,
                                    const OptimisationOptions& options,
                                    Executor& executor,
                                    const OptimisationWatch& watch = {});

}  // namespace orrery
