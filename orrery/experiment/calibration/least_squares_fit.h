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

/// The residuals that a fit makes small, over n observations and p parameters.
/// Its functions are called by many threads at once.
struct ResidualFunction {
  std::size_t size = 0;  ///< n

  /// Writes the residuals at these values of the parameters.
  /// @returns why there are none; empty if there are.
  std::function<std::string(std::span<const double> values,
                            std::span<double> residuals)>
      residuals;

  /// Writes d(residual i)/d(value k) at i p + k. Empty: central differences
  /// are taken.
  /// @returns likewise.
  std::function<std::string(std::span<const double> values,
                            std::span<double> jacobian)>
      jacobian;

  /// The relative error with which the residuals are computed: says how far
  /// apart points of differences are.
  double relative_error = std::numeric_limits<double>::epsilon();

  /// To which group each residual belongs, from 0 on: what is measured by one
  /// instrument. Empty: all to one.
  std::vector<std::size_t> groups;
};

/// What is supposed of the errors of the observations.
enum class NoiseModel : std::uint8_t {
  kCommon,   ///< All residuals have one variance.
  kByGroup,  ///< Those of each group have their own: maximum likelihood.
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

  /// Searches, from the guess and from points of a Sobol' sequence within the
  /// bounds; the best is taken.
  std::int64_t starts = 1;

  double confidence = 0.95;            ///< Of all intervals.
  bool takes_profiles = false;         ///< Profile likelihood intervals.
  std::int64_t max_iterations = 1000;  ///< Of one search.

  friend bool operator==(const FitOptions&, const FitOptions&) = default;
};

/// Why a fit ended.
enum class FitEnd : std::uint8_t {
  kConverged,
  kNotConverged,  ///< After too many iterations, or steps that failed.
  kInterrupted,
  kFailed,  ///< There are no residuals where it began.
};

/// "converged", "not converged", "interrupted", "failed"
[[nodiscard]] std::string_view Describe(FitEnd end) noexcept;

/// What makes estimates doubtful. Plain data.
struct FitFinding {
  enum class Kind : std::uint8_t {
    kNoEffect,       ///< The parameter does not change any residual.
    kAtBound,        ///< The estimate is a bound; its interval is not known.
    kUndetermined,   ///< The data determine only a combination of these.
    kCollinear,      ///< A change of one is nearly made up for by the others.
    kNotStationary,  ///< The search ended where there is no minimum.
    kNoFreedom,      ///< As many parameters as data: no errors are known.
    kNoNoise,        ///< Errors are those of computation: the data have none.
    kTooFewIterations,  ///< The search ended after as many as are allowed.
  };

  Kind kind = Kind::kNoEffect;
  std::vector<std::string> parameters;
  /// Of kCollinear the collinearity index, of kNotStationary the relative
  /// offset, of kTooFewIterations their number.
  double size = 0;

  friend bool operator==(const FitFinding&, const FitFinding&) = default;
};

/// In one sentence.
[[nodiscard]] std::string Describe(const FitFinding& finding);

/// What is known of one parameter after a fit. Plain data.
struct ParameterEstimate {
  std::string name;
  double value = 0;
  /// From the linear approximation; NaN where it is not determined.
  double standard_error = 0;
  /// Student's, of the linear approximation; of the logarithm where that was
  /// searched.
  ConfidenceInterval interval;
  /// Between the values at which the likelihood, all other parameters chosen
  /// anew, has fallen as far as chi-squared of one degree of freedom says;
  /// infinite where it does not fall so far within the bounds. None unless
  /// asked for, and of as many parameters as data.
  std::optional<ConfidenceInterval> profile;

  friend bool operator==(const ParameterEstimate&,
                         const ParameterEstimate&) = default;
};

/// What a fit comes to. Plain data.
struct LeastSquaresFit {
  FitEnd end = FitEnd::kFailed;
  std::string message;  ///< Why there are no residuals; mostly empty.

  std::vector<ParameterEstimate> parameters;
  double confidence = 0.95;  ///< Of their intervals.
  /// Of the estimates, p by p, by rows; NaN where they are not determined.
  std::vector<double> covariance;
  /// Likewise; of data without noise or freedom, too, which give no errors.
  std::vector<double> correlation;

  std::vector<double> residuals;  ///< Unweighted.
  double sum_of_squares = 0;      ///< Of the residuals.
  /// sqrt(sum_of_squares / (n - p)), where p does not count parameters, or
  /// combinations of them, without effect on the residuals.
  double residual_deviation = 0;
  /// By group: sqrt(mean square of its residuals).
  std::vector<double> group_deviations;

  /// How far the residuals are from orthogonal to the tangent plane, in units
  /// of their own noise; below 0.001 at a minimum. Bates & Watts, "A relative
  /// offset orthogonality convergence criterion for nonlinear least squares",
  /// Technometrics 23 (1981) 179-183.
  double relative_offset = 0;

  std::vector<FitFinding> findings;
  std::vector<double> costs;  ///< By search: what it came to; NaN if it failed.
  std::int64_t iterations = 0;
  std::int64_t evaluations = 0;  ///< Of the residuals.

  [[nodiscard]] double Correlation(std::size_t i, std::size_t k) const {
    return correlation[i * parameters.size() + k];
  }
};

/// How far a fit has come.
struct FitProgress {
  std::int64_t evaluations = 0;
  double cost = 0;  ///< Of the search that has just gone on; falls in each.
};

/// What is to be told to who fits. Each may be empty.
struct FitWatch {
  std::function<void(const FitProgress&)> progress;  ///< By one thread.
  GoesOn goes_on;
};

/// Estimates parameters so that the sum of squares, or of the losses, of the
/// residuals is least, by the method of Levenberg and Marquardt within the
/// bounds (Ceres Solver).
///
/// With another loss than that of least squares, or with kByGroup, the scale of
/// each group is estimated too, in turn with the parameters until both stand:
/// by median |r| / 0.6745, or by maximum likelihood as the root of the mean
/// square. Standard errors are those of the linear approximation at the
/// estimate; of robust losses Huber's, "Robust Statistics" (1981), 7.6.
///
/// Every number is the same, bit for bit, for any executor: it carries out
/// searches, and profiles, beside each other, or the evaluations that a single
/// search takes differences by.
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
