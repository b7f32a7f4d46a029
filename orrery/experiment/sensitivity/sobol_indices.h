#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/experiment/design/design.h"
#include "orrery/experiment/design/factor.h"
#include "orrery/experiment/sensitivity/factor_groups.h"
#include "orrery/experiment/statistics/correlation.h"
#include "orrery/experiment/statistics/sample_statistics.h"

namespace orrery {

/// Plain data.
struct SaltelliOptions {
  /// Base samples N, best a power of 2. Each takes d + 2 runs for d factors, or
  /// 2 d + 2 with second-order indices.
  std::int64_t samples = 1024;
  bool has_second_order = false;
  /// Of the shift, if it is shifted digitally: see DesignOptions.
  std::uint64_t seed = 1;
  bool is_shifted = false;
  /// Of all factors; empty: each is one by itself. Indices are those of groups.
  std::vector<FactorGroup> groups = {};
  /// See DesignOptions; of factors in one group alone.
  std::vector<Correlation> correlations = {};

  friend bool operator==(const SaltelliOptions&,
                         const SaltelliOptions&) = default;
};

/// How sure an index is: by resampling. Plain data.
struct BootstrapOptions {
  std::int64_t resamples = 1000;
  double confidence = 0.95;
  std::uint64_t seed = 1;

  friend bool operator==(const BootstrapOptions&,
                         const BootstrapOptions&) = default;
};

/// A part of an output's variance.
struct SobolIndex {
  double value = 0;
  ConfidenceInterval interval;

  friend bool operator==(const SobolIndex&, const SobolIndex&) = default;
};

/// How the variance of an output comes from the factors. All indices are NaN if
/// it has none. Plain data.
struct SobolIndices {
  std::vector<SobolIndex> first;  ///< Of each factor, or group, by itself.
  std::vector<SobolIndex> total;  ///< Of it with all others.
  /// Of each pair beyond its two factors, (0, 1), (0, 2), ..., (1, 2), ...;
  /// empty if it was not asked for.
  std::vector<SobolIndex> second;
  double mean = 0;
  double variance = 0;
  std::int64_t samples = 0;  ///< Base samples that were used.
  std::int64_t missing = 0;  ///< Those left out, since a run of theirs failed.

  friend bool operator==(const SobolIndices&, const SobolIndices&) = default;
};

/// The runs from which the indices of Sobol' are estimated. With the two halves
/// A and B of points of a Sobol' sequence of 2 d dimensions, base sample j is
/// row j of A, of B, of the d matrices AB_k, A with column k of B, and with
/// second-order indices also of BA_k, B with column k of A: Saltelli et al.,
/// "Variance based sensitivity analysis of model output", Comput. Phys. Commun.
/// 181 (2010) 259-270. With groups of factors, d is their number, and all
/// columns of one are exchanged at once; the groups are independent. Immutable.
class SaltelliDesign {
 public:
  /// @throws Error kInvalidArgument for options out of range, too many factors,
  ///     or as Design.
  SaltelliDesign(std::span<const Factor> factors,
                 const SaltelliOptions& options);

  /// Its runs: of one base sample after the other. Unless the origin was moved,
  /// the first ones are those of a design of fewer samples.
  [[nodiscard]] const Design& design() const noexcept { return design_; }

  /// With the variance V of the runs of A and B and means over base samples,
  ///
  ///     S_k  = mean(f(B) (f(AB_k) - f(A))) / V     table 2 (b) there
  ///     ST_k = mean((f(A) - f(AB_k))^2) / (2 V)    (f), of Jansen (1999)
  ///     S_kl = mean(f(BA_k) f(AB_l) - f(A) f(B)) / V - S_k - S_l
  ///
  /// the last of Saltelli, Comput. Phys. Commun. 145 (2002) 280-297, where f is
  /// the output less its mean. Intervals are between quantiles of the same of
  /// base samples drawn with replacement (Efron & Tibshirani, "An Introduction
  /// to the Bootstrap", 13.3).
  ///
  /// @param outputs of all runs; not finite where one failed.
  /// @throws Error kInvalidArgument for bootstrap options out of range.
  [[nodiscard]] SobolIndices Estimate(
      std::span<const double> outputs,
      const BootstrapOptions& bootstrap = {}) const;

 private:
  SaltelliOptions options_;
  std::size_t num_groups_;
  Design design_;
};

}  // namespace orrery
