#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/experiment/design/design.h"
#include "orrery/experiment/design/factor.h"
#include "orrery/experiment/sensitivity/factor_groups.h"

namespace orrery {

namespace experiment::internal {
class MorrisTrajectories;
}  // namespace experiment::internal

/// Plain data.
struct MorrisOptions {
  /// Number of trajectories through the ranges. Each has one run more than
  /// there are factors.
  std::int64_t trajectories = 10;
  /// Number of equally likely values of each factor in the design; even.
  std::int64_t levels = 4;
  std::uint64_t seed = 1;
  /// The groups of all factors; empty: each factor is a group by itself. The
  /// factors of a group move at once. Its effects have no sign; only mu* is
  /// meaningful.
  std::vector<FactorGroup> groups = {};

  friend bool operator==(const MorrisOptions&, const MorrisOptions&) = default;
};

/// The effect of one factor on an output. An elementary effect is the change of
/// the output when only the factor moves, scaled to a move through its whole
/// range: the range of probabilities or, for a factor with isolated values such
/// as whole numbers, the range of its values. Plain data.
struct MorrisEffect {
  double mean = 0;            ///< mu of the elementary effects.
  double mean_magnitude = 0;  ///< mu*, of their magnitudes: the importance of
                              ///< the factor.
  /// sigma: 0 if the output is linear in the factor and has no interactions
  /// with it. NaN for fewer than two effects.
  double deviation = 0;
  /// Number of effects: pairs of runs that did not fail and have different
  /// values of the factor. With few values, neighbouring levels may coincide.
  std::int64_t count = 0;

  friend bool operator==(const MorrisEffect&, const MorrisEffect&) = default;
};

/// The screening of many factors by few runs: Morris, "Factorial sampling plans
/// for preliminary computational experiments", Technometrics 33 (1991) 161-174,
/// with mu* of Campolongo, Cariboni & Saltelli, Environ. Model. Softw. 22
/// (2007) 1509-1518.
///
/// A trajectory begins at random levels. It moves each factor once, in random
/// order, by half of the levels, up or down as there is room. Levels are
/// equally spaced probabilities from 0 to 1. Immutable.
class MorrisDesign {
 public:
  /// @throws Error kInvalidArgument for options out of range, and for a factor
  ///     that may become infinite: the ends of its range are levels.
  MorrisDesign(std::span<const Factor> factors, const MorrisOptions& options);

  /// Its runs, one trajectory after the other. The first trajectories do not
  /// depend on the number of trajectories.
  [[nodiscard]] const Design& design() const noexcept { return design_; }

  /// The effects of each group.
  /// @param outputs of all runs; not finite where one failed.
  [[nodiscard]] std::vector<MorrisEffect> Estimate(
      std::span<const double> outputs) const;

 private:
  [[nodiscard]] double MoveBetween(std::size_t lower,
                                   std::size_t upper,
                                   std::size_t k) const;

  std::shared_ptr<const experiment::internal::MorrisTrajectories> trajectories_;
  std::vector<std::size_t> group_of_;  // By factor.
  /// By factor: the range of its isolated values; 0 if it is continuous.
  std::vector<double> widths_;
  Design design_;
};

}  // namespace orrery
