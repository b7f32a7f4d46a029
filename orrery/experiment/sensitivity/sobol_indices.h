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
  /// Number N of base samples, best a power of 2. Each takes d + 2 runs for d
  /// factors, or 2 d + 2 with second-order indices.
  std::int64_t samples = 1024;
  bool has_second_order = false;
  /// The seed of the digital shift, if `is_shifted`: see DesignOptions.
  std::uint64_t seed = 1;
  bool is_shifted = false;
  /// The groups of all factors; empty: each factor is a group by itself.
  /// Indices are those of groups.
  std::vector<FactorGroup> groups = {};
  /// See DesignOptions; only between factors of one group.
  std::vector<Correlation> correlations = {};

  friend bool operator==(const SaltelliOptions&,
                         const SaltelliOptions&) = default;
};

/// Settings of the bootstrap that gives the intervals of indices. Plain data.
struct BootstrapOptions {
  std::int64_t resamples = 1000;
  double confidence = 0.95;
  std::uint64_t seed = 1;

  friend bool operator==(const BootstrapOptions&,
                         const BootstrapOptions&) = default;
};

/// A fraction of an output's variance.
struct SobolIndex {
  double value = 0;
  ConfidenceInterval interval;

  friend bool operator==(const SobolIndex&, const SobolIndex&) = default;
};

/// The decomposition of the variance of an output by factors. All indices are
/// NaN if the variance is 0. Plain data.
struct SobolIndices {
  std::vector<SobolIndex> first;  ///< The effect of each factor, or group,
                                  ///< alone.
  std::vector<SobolIndex> total;  ///< Its effect including interactions with
                                  ///< all others.
  /// The interaction of each pair, in the order (0, 1), (0, 2), ..., (1, 2),
  /// ...; empty unless requested.
  std::vector<SobolIndex> second;
  double mean = 0;
  double variance = 0;
  std::int64_t samples = 0;  ///< Number of base samples used.
  std::int64_t missing = 0;  ///< Number of base samples left out because one of
                             ///< their runs failed.

  friend bool operator==(const SobolIndices&, const SobolIndices&) = default;
};

/// The runs from which the indices of Sobol' are estimated. A and B are the two
/// halves of the points of a Sobol' sequence of 2 d dimensions. Base sample j
/// is row j of A, of B, and of the d matrices AB_k, which are A with column k
/// of B. With second-order indices it is also row j of BA_k, which are B with
/// column k of A: Saltelli et al., "Variance based sensitivity analysis of
/// model output", Comput. Phys. Commun. 181 (2010) 259-270. With groups of
/// factors, d is the number of groups, and all columns of a group are exchanged
/// at once; the groups are independent. Immutable.
class SaltelliDesign {
 public:
  /// @throws Error kInvalidArgument for options out of range, too many factors,
  ///     or as Design.
  SaltelliDesign(std::span<const Factor> factors,
                 const SaltelliOptions& options);

  /// Its runs, one base sample after the other. Unless the origin was moved,
  /// the first runs are those of a design with fewer samples.
  [[nodiscard]] const Design& design() const noexcept { return design_; }

  /// Estimates the indices from the variance V of the runs of A and B and means
  /// over base samples:
  ///
  ///     S_k  = mean(f(B) (f(AB_k) - f(A))) / V     table 2 (b) there
  ///     ST_k = mean((f(A) - f(AB_k))^2) / (2 V)    (f), of Jansen (1999)
  ///     S_kl = mean(f(BA_k) f(AB_l) - f(A) f(B)) / V - S_k - S_l
  ///
  /// The last is from Saltelli, Comput. Phys. Commun. 145 (2002) 280-297; f is
  /// the output less its mean. Intervals lie between quantiles of the same
  /// estimates for base samples drawn with replacement (Efron & Tibshirani, "An
  /// Introduction to the Bootstrap", 13.3).
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
