#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/system/executor.h"
#include "orrery/experiment/calibration/robust_loss.h"
#include "orrery/experiment/design/search_space.h"
#include "orrery/experiment/runs/subject.h"
#include "orrery/experiment/statistics/sample_statistics.h"

namespace orrery {

/// The residuals that a fit minimises: n observations, p parameters. Many
/// threads call its functions at once.
struct ResidualFunction {
  std::size_t size = 0;  ///< n

  /// Writes the residuals at these values of the parameters.
  /// @returns why there are none; empty if there are.
  std::function<std::string(std::span<const double> values,
                            std::span<double> residuals)>
      residuals;

  /// Writes d(residual i)/d(value k) at i p + k. If empty, the fit takes
  /// central differences.
  /// @returns as `residuals`.
  std::function<std::string(std::span<const double> values,
                            std::span<double> jacobian)>
      jacobian;

  /// The relative error of the computed residuals. It determines the step of
  /// differences.
  double relative_error = std::numeric_limits<double>::epsilon();

  /// The group of each residual, from 0 on, for example one group for each
  /// instrument. Empty: one group.
  std::vector<std::size_t> groups;
};

/// The assumption about the errors of the observations.
enum class NoiseModel : std::uint8_t {
  kCommon,   ///< All residuals have one variance.
  kByGroup,  ///< Each group has its own variance: maximum likelihood.
};

/// "common", "by-signal"
[[nodiscard]] std::string_view NameOf(NoiseModel noise) noexcept;

/// The model of this name.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] NoiseModel NoiseModelOf(std::string_view name);

/// Plain data.
struct FitOptions {
  NoiseModel noise = NoiseModel::kCommon;
  LossKind loss = LossKind::kSquare;

  /// Number of searches, from the guess and from points of a Sobol' sequence
  /// within the bounds. The best one is taken.
  std::int64_t starts = 1;

  double confidence = 0.95;            ///< Confidence level of all intervals.
  bool takes_profiles = false;         ///< Adds profile likelihood intervals.
  std::int64_t max_iterations = 1000;  ///< Limit for one search.

  friend bool operator==(const FitOptions&, const FitOptions&) = default;
};

/// Why a fit ended.
enum class FitEnd : std::uint8_t {
  kConverged,
  kNotConverged,  ///< After too many iterations, or steps that failed.
  kInterrupted,
  kFailed,  ///< There are no residuals at the start.
};

/// "converged", "not converged", "interrupted", "failed"
[[nodiscard]] std::string_view Describe(FitEnd end) noexcept;

/// A reason to doubt estimates. Plain data.
struct FitFinding {
  enum class Kind : std::uint8_t {
    kNoEffect,       ///< The parameter does not change any residual.
    kAtBound,        ///< The estimate is at a bound; its interval is unknown.
    kUndetermined,   ///< The data determine only a combination of these
                     ///< parameters.
    kCollinear,      ///< The others nearly compensate a change of one of them.
    kNotStationary,  ///< The search ended at a point that is no minimum.
    kNoFreedom,      ///< As many parameters as data: no errors are known.
    kNoNoise,  ///< The residuals are rounding errors: the data have no noise.
    kTooFewIterations,  ///< The search reached the limit of iterations.
  };

  Kind kind = Kind::kNoEffect;
  std::vector<std::string> parameters;
  /// kCollinear: the collinearity index. kNotStationary: the relative offset.
  /// kTooFewIterations: the number of iterations.
  double size = 0;

  friend bool operator==(const FitFinding&, const FitFinding&) = default;
};

/// Describes the finding in one sentence.
[[nodiscard]] std::string Describe(const FitFinding& finding);

/// The estimate of one parameter. Plain data.
struct ParameterEstimate {
  std::string name;
  double value = 0;
  /// By the linear approximation; NaN if it is not determined.
  double standard_error = 0;
  /// Student's interval by the linear approximation. On a logarithmic scale it
  /// is computed for the logarithm.
  ConfidenceInterval interval;
  /// The interval of the profile likelihood. At its ends the likelihood,
  /// maximised over all other parameters, has fallen as far as chi-squared with
  /// one degree of freedom allows. An end is infinite if the likelihood does
  /// not fall so far within the bounds. Without a value unless requested, or
  /// with as many parameters as data.
  std::optional<ConfidenceInterval> profile;

  friend bool operator==(const ParameterEstimate&,
                         const ParameterEstimate&) = default;
};

/// The result of a fit. Plain data.
struct LeastSquaresFit {
  FitEnd end = FitEnd::kFailed;
  std::string message;  ///< Why there are no residuals; mostly empty.

  std::vector<ParameterEstimate> parameters;
  double confidence = 0.95;  ///< Confidence level of the intervals.
  /// The covariance of the estimates, p by p, by rows; NaN where it is not
  /// determined.
  std::vector<double> covariance;
  /// The correlation, with the same layout. It is also given for data without
  /// noise or freedom, which have no standard errors.
  std::vector<double> correlation;

  std::vector<double> residuals;  ///< Unweighted.
  double sum_of_squares = 0;      ///< The sum of the squared residuals.
  /// sqrt(sum_of_squares / (n - p)), where p does not count parameters, or
  /// combinations of them, without effect on the residuals.
  double residual_deviation = 0;
  /// By group: sqrt(mean square of its residuals).
  std::vector<double> group_deviations;

  /// The distance of the residuals from orthogonality to the tangent plane, in
  /// units of their noise; below 0.001 at a minimum. Bates & Watts, "A relative
  /// offset orthogonality convergence criterion for nonlinear least squares",
  /// Technometrics 23 (1981) 179-183.
  double relative_offset = 0;

  std::vector<FitFinding> findings;
  std::vector<double> costs;  ///< The final cost of each search; NaN if it
                              ///< failed.
  std::int64_t iterations = 0;
  std::int64_t evaluations = 0;  ///< Number of evaluations of the residuals.

  [[nodiscard]] double Correlation(std::size_t i, std::size_t k) const {
    return correlation[i * parameters.size() + k];
  }
};

/// The progress of a fit.
struct FitProgress {
  std::int64_t evaluations = 0;
  double cost = 0;  ///< The cost of the latest search to advance; falls within
                    ///< each search.
};

/// Callbacks of the caller of a fit. Each may be empty.
struct FitWatch {
  std::function<void(const FitProgress&)> progress;  ///< Called by one thread.
  GoesOn goes_on;
};

/// Estimates parameters that minimise the sum of squares, or of losses, of the
/// residuals by the method of Levenberg and Marquardt within the bounds (Ceres
/// Solver).
///
/// With a loss other than least squares, or with kByGroup, it also estimates
/// the scale of each group. Scales and parameters are estimated in turn until
/// both converge: the scale is median |r| / 0.6745, or by maximum likelihood
/// the root of the mean square. Standard errors are those of the linear
/// approximation at the estimate; for robust losses see Huber, "Robust
/// Statistics" (1981), 7.6.
///
/// Every number is the same, bit for bit, for any executor. It runs searches
/// and profiles in parallel, or the evaluations of the differences of a single
/// search.
///
/// @throws Error kInvalidArgument if there are fewer residuals than parameters,
///     for a parameter of whole numbers, options out of range, and profiles of
///     a robust loss.
[[nodiscard]] LeastSquaresFit FitLeastSquares(const SearchSpace& space,
                                              const ResidualFunction& function,
                                              const FitOptions& options,
                                              Executor& executor,
                                              const FitWatch& watch = {});

}  // namespace orrery
