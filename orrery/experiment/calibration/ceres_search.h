#pragma once

#include <cstdint>
#include <vector>

namespace orrery::experiment::internal {

/// The decision after a step of a search.
enum class SearchVerdict : std::uint8_t { kGoOn, kConverged, kStop };

/// A problem of least squares for the searches of Ceres. This header uses none
/// of Orrery's libraries: the library with Ceres is loaded when the first
/// search begins.
class CeresProblem {
 public:
  CeresProblem() = default;
  CeresProblem(const CeresProblem&) = delete;
  CeresProblem& operator=(const CeresProblem&) = delete;
  virtual ~CeresProblem() = default;

  /// @param x as long as CeresTask::low.
  /// @param residuals as many as CeresTask::residuals.
  /// @param jacobian d(residual)/d(x), row-major; null if not requested.
  /// @returns true if the residuals exist at `x`.
  virtual bool Evaluate(const double* x,
                        double* residuals,
                        double* jacobian) = 0;

  /// Called after each step, also after a rejected one, whose last evaluated
  /// point is no better.
  /// @param x the position of the search.
  /// @param cost half of the sum of squares there.
  virtual SearchVerdict Step(const double* x, double cost) = 0;
};

/// Plain data.
struct CeresTask {
  int residuals = 0;
  std::vector<double> low;  ///< Bounds, which may be infinite.
  std::vector<double> high;
  int max_iterations = 0;
  double first_radius = 0;  ///< Radius of the first trust region.
};

/// Plain data.
struct CeresOutcome {
  bool has_converged = false;
  std::int64_t iterations = 0;
};

/// Minimises the sum of squares from `x` by the method of Levenberg and
/// Marquardt with a QR factorisation, and writes the end of the search into
/// `x`. It converges when the problem says so, at the latest when steps change
/// the cost by rounding errors only.
using CeresSearch = void(CeresProblem& problem,
                         const CeresTask& task,
                         double* x,
                         CeresOutcome& outcome);

extern "C" __attribute__((visibility("default"))) CeresSearch OrreryCeresSearch;

}  // namespace orrery::experiment::internal
