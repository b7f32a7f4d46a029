#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "orrery/base/numbers/estimate.h"

namespace orrery {

/// An interval that holds a true value with a stated probability. Plain data.
struct ConfidenceInterval {
  double low = 0;
  double high = 0;

  friend bool operator==(const ConfidenceInterval&,
                         const ConfidenceInterval&) = default;
};

/// The outcomes of independent runs, sorted. Values that are not finite, as
/// those of failed runs, are left out and counted. For mean and deviation see
/// EstimateMean(), which leaves out the same values.
class SortedSample {
 public:
  /// @param values in any order.
  explicit SortedSample(std::span<const double> values);

  /// The number of finite values.
  [[nodiscard]] std::int64_t count() const noexcept {
    return static_cast<std::int64_t>(values_.size());
  }

  /// The number of values that were left out.
  [[nodiscard]] std::int64_t missing() const noexcept { return missing_; }

  /// The finite values, ascending.
  [[nodiscard]] const std::vector<double>& values() const noexcept {
    return values_;
  }

  /// The quantile by linear interpolation between order statistics, x[h] with h
  /// = (n - 1) p: definition 7 of Hyndman & Fan, "Sample quantiles in
  /// statistical packages", The American Statistician 50 (1996) 361-365. NaN
  /// for an empty sample.
  /// @param p in [0, 1].
  [[nodiscard]] double Quantile(double p) const;

  /// An interval that holds the quantile of the distribution with probability
  /// `confidence` at least, whatever the distribution. Its ends are order
  /// statistics; by the binomial distribution the quantile lies beyond each
  /// with probability (1 - confidence) / 2 at most. An end is infinite if the
  /// sample is too small. David & Nagaraja, "Order Statistics", 3rd ed., 7.1.
  /// @param p and `confidence` in (0, 1).
  [[nodiscard]] ConfidenceInterval QuantileInterval(
      double p, double confidence = 0.95) const;

 private:
  std::vector<double> values_;
  std::int64_t missing_ = 0;
};

/// The condition under which a mean is accurate enough. Plain data.
struct StoppingRule {
  /// Satisfied when the half-width of the confidence interval of the mean is at
  /// most `absolute`, or at most `relative` times the magnitude of the mean.
  double absolute = 0;
  double relative = 0;
  double confidence = 0.95;

  /// Runs between two checks, and before the first. A rule that is checked
  /// after few runs is often satisfied by chance, and too early.
  std::int64_t batch = 100;

  /// Runs after which it ends in any case.
  std::int64_t most_runs = std::numeric_limits<std::int64_t>::max();

  friend bool operator==(const StoppingRule&, const StoppingRule&) = default;
};

/// Applies a rule to the outcomes of runs 0, 1, 2, ... It checks them in this
/// order, after whole batches, so that the number of runs does not depend on
/// which ended first. The interval holds the mean with a probability that tends
/// to the rule's confidence as the bound gets small: Chow & Robbins, "On the
/// asymptotic theory of fixed-width sequential confidence intervals for the
/// mean", Ann. Math. Stat. 36 (1965) 457-462.
class SequentialMean {
 public:
  /// @throws Error kInvalidArgument unless a bound is positive and the others
  ///     are in range.
  explicit SequentialMean(const StoppingRule& rule);

  /// Adds the outcome of the next run. An outcome that is not finite, of a
  /// failed run, counts as a run but not as an observation. No effect after the
  /// end.
  void Add(double outcome);

  /// Number of runs added.
  [[nodiscard]] std::int64_t runs() const noexcept { return runs_; }

  /// True if no more runs are needed.
  [[nodiscard]] bool has_ended() const noexcept {
    return is_satisfied_ || runs_ >= rule_.most_runs;
  }

  /// True if it ended because the mean is accurate enough.
  [[nodiscard]] bool is_satisfied() const noexcept { return is_satisfied_; }

  /// The estimate from the runs so far.
  [[nodiscard]] Estimate estimate() const;

 private:
  StoppingRule rule_;
  std::int64_t runs_ = 0;
  bool is_satisfied_ = false;
  // Sums of the recurrence of Welford, Technometrics 4 (1962) 419-420.
  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace orrery
