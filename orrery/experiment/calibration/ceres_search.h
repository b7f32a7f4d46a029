#pragma once

#include <cstdint>
#include <vector>

namespace orrery::internal {

/// What becomes of a search after a step.
enum class SearchVerdict : std::uint8_t { kGoOn, kConverged, kStop };

/// What the searches of Ceres ask of a problem of least squares. Neither this
/// nor what is below needs anything of Orrery's libraries: the two meet when
/// the first search is made.
class CeresProblem {
 public:
  CeresProblem() = default;
  CeresProblem(const CeresProblem&) = delete;
  CeresProblem& operator=(const CeresProblem&) = delete;
  virtual ~CeresProblem() = default;

  /// @param x as long as CeresTask::low.
  /// @param residuals as many as CeresTask::residuals.
  /// @param jacobian d(residual)/d(x), row-major; null if it is not wanted.
  /// @returns whether there are any.
  virtual bool Evaluate(const double* x,
                        double* residuals,
                        double* jacobian) = 0;

  /// Hears of each step, also of those that are not taken, as what was
  /// evaluated last is no better.
  /// @param x where the search is.
  /// @param cost half of the sum of squares there.
  virtual SearchVerdict Step(const double* x, double cost) = 0;
};

/// Plain data.
struct CeresTask {
  int residuals = 0;
  std::vector<double> low;  ///< Bounds, which may be infinite.
  std::vector<double> high;
  int max_iterations = 0;
  double first_radius = 0;  ///< Of the region where the first step is trusted.
};

/// Plain data.
struct CeresOutcome {
  bool has_converged = false;
  std::int64_t iterations = 0;
};

/// Looks for the least sum of squares from `x`, which becomes where it ends, by
/// the method of Levenberg and Marquardt with a QR factorisation. It has
/// converged when the problem says so, at the latest where steps change nothing
/// but by rounding.
using CeresSearch = void(CeresProblem& problem,
                         const CeresTask& task,
                         double* x,
                         CeresOutcome& outcome);

extern "C" __attribute__((visibility("default"))) CeresSearch OrreryCeresSearch;

}  // namespace orrery::internal
