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

namespace orrery::internal {

/// Of each group, the root of the mean square of its residuals.
/// @param groups to which each residual belongs, from 0 on.
[[nodiscard]] std::vector<double> RootMeanSquares(
    std::span<const std::size_t> groups, const Eigen::VectorXd& residuals);

/// A search for estimates that has ended.
struct FitSearch {
  LeastSquaresMinimum minimum;
  std::string why;  ///< There are no residuals; mostly empty.
  Weighting weighting;
  Eigen::VectorXd scales;   ///< By group.
  double objective = kNaN;  ///< To be compared with that of others.

  [[nodiscard]] bool is_usable() const {
    return minimum.end == FitEnd::kConverged ||
           minimum.end == FitEnd::kNotConverged;
  }
};

/// Searches for the estimates of a fit, and for the scales of the groups of
/// residuals where its noise or its loss asks for them. Immutable; to be used
/// by any number of threads.
class FitSearcher {
 public:
  /// What it refers to must outlive it.
  FitSearcher(const ResidualFunction& function, const FitOptions& options);

  /// With all scales known, one search for a minimum; else one after the other,
  /// the scales taken from the residuals at the last.
  /// @param free the coordinates that are searched.
  /// @param scales to begin with, if known.
  [[nodiscard]] FitSearch From(
      FitModel& model,
      const Eigen::VectorXd& start,
      std::span<const Eigen::Index> free,
      const std::optional<Eigen::VectorXd>& scales) const;

  /// -2 log(likelihood) of normal errors of unknown variances, but a constant.
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

}  // namespace orrery::internal
