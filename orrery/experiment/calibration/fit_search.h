#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/experiment/calibration/fit_model.h"
#include "orrery/experiment/calibration/least_squares_fit.h"
#include "orrery/experiment/calibration/least_squares_solver.h"

namespace orrery::experiment::internal {

/// Returns, by group, the root mean square of the residuals.
/// @param groups the group of each residual, from 0 on.
[[nodiscard]] std::vector<double> RootMeanSquares(
    std::span<const std::size_t> groups, const Eigen::VectorXd& residuals);

/// A search for estimates that has ended.
struct FitSearch {
  LeastSquaresMinimum minimum;
  std::string why;  ///< Why there are no residuals; mostly empty.
  Weighting weighting;
  Eigen::VectorXd scales;   ///< By group.
  double objective = kNaN;  ///< To be compared between searches.

  [[nodiscard]] bool is_usable() const {
    return minimum.end == FitEnd::kConverged ||
           minimum.end == FitEnd::kNotConverged;
  }
};

/// Searches for the estimates of a fit, and for the scales of the groups of
/// residuals if the noise model or the loss needs them. Immutable; any number
/// of threads may use it.
class FitSearcher {
 public:
  /// The arguments must outlive it.
  FitSearcher(const ResidualFunction& function, const FitOptions& options);

  /// Makes one search if all scales are known. Otherwise repeats it, with the
  /// scales from the residuals of the last search.
  /// @param free the coordinates that are searched.
  /// @param scales to begin with, if known.
  [[nodiscard]] FitSearch From(
      FitModel& model,
      const Eigen::VectorXd& start,
      std::span<const Eigen::Index> free,
      const std::optional<Eigen::VectorXd>& scales) const;

  /// -2 log(likelihood) of normal errors of unknown variances, up to a
  /// constant.
  [[nodiscard]] double DevianceOf(const Eigen::VectorXd& residuals) const;

 private:
  [[nodiscard]] Eigen::VectorXd ScalesOf(
      const Eigen::VectorXd& residuals) const;
  void SetWeights(FitSearch& search) const;
  [[nodiscard]] double ObjectiveOf(const FitSearch& search) const;

  const ResidualFunction& function_;
  const FitOptions& options_;
  std::vector<std::size_t> groups_;  // With one scale each, by residual.
};

}  // namespace orrery::experiment::internal
