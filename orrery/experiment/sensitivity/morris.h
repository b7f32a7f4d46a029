#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/experiment/design/design.h"
#include "orrery/experiment/design/factor.h"
#include "orrery/experiment/sensitivity/factor_groups.h"

namespace orrery {

namespace internal {
class MorrisTrajectories;
}  // namespace internal

/// Plain data.
struct MorrisOptions {
  /// Walks through the ranges, each of one run more than there are factors.
  std::int64_t trajectories = 10;
  /// Equally likely values that each factor has in the design; even.
  std::int64_t levels = 4;
  std::uint64_t seed = 1;
  /// Of all factors; empty: each is one by itself. The factors of a group move
  /// at once, and its effects have no sign: only mu* is told of it.
  std::vector<FactorGroup> groups = {};

  friend bool operator==(const MorrisOptions&, const MorrisOptions&) = default;
};

/// How an output answers to one factor. An elementary effect is the change of
/// the output as the factor alone moves, in proportion to a move through its
/// whole range: that of its probabilities or, of a factor that has single
/// values only, as whole numbers, that of its values. Plain data.
struct MorrisEffect {
  double mean = 0;            ///< mu of the elementary effects.
  double mean_magnitude = 0;  ///< mu*, of their magnitudes: its importance.
  /// sigma: 0 if the output is linear in the factor and it acts by itself. NaN
  /// of fewer than two effects.
  double deviation = 0;
  /// Effects between two runs that did not fail and have different values of
  /// the factor: of few values, neighbouring levels may be the same one.
  std::int64_t count = 0;

  friend bool operator==(const MorrisEffect&, const MorrisEffect&) = default;
};

/// The screening of many factors by few runs, of Morris, "Factorial sampling
/// plans for preliminary computational experiments", Technometrics 33 (1991)
/// 161-174, with mu* of Campolongo, Cariboni & Saltelli, Environ. Model. Softw.
/// 22 (2007) 1509-1518.
///
/// A trajectory begins at random levels and moves each factor once, in random
/// order, by half of the levels, up or down, where there is room. Levels are
/// equally spaced probabilities from 0 to 1. Immutable.
class MorrisDesign {
 public:
  /// @throws Error kInvalidArgument for options out of range, and for a factor
  ///     that may become infinite: the ends of its range are levels.
  MorrisDesign(std::span<const Factor> factors, const MorrisOptions& options);

  /// Its runs: of one trajectory after the other. Those of the first
  /// trajectories do not depend on how many there are.
  [[nodiscard]] const Design& design() const noexcept { return design_; }

  /// The effects of each group.
  /// @param outputs of all runs; not finite where one failed.
  [[nodiscard]] std::vector<MorrisEffect> Estimate(
      std::span<const double> outputs) const;

 private:
  [[nodiscard]] double MoveBetween(std::size_t lower,
                                   std::size_t upper,
                                   std::size_t k) const;

  std::shared_ptr<const internal::MorrisTrajectories> trajectories_;
  std::vector<std::size_t> group_of_;  // By factor.
  /// By factor: how far its single values reach; 0 if anything is between.
  std::vector<double> widths_;
  Design design_;
};

}  // namespace orrery
