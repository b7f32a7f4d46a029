#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/experiment/design.h"
#include "orrery/experiment/factor.h"

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

  friend bool operator==(const MorrisOptions&, const MorrisOptions&) = default;
};

/// How an output answers to one factor. An elementary effect is the change of
/// the output as the factor alone moves, in proportion to a move through its
/// whole range. Plain data.
struct MorrisEffect {
  double mean = 0;            ///< mu of the elementary effects.
  double mean_magnitude = 0;  ///< mu*, of their magnitudes: its importance.
  /// sigma: 0 if the output is linear in the factor and it acts by itself. NaN
  /// of fewer than two effects.
  double deviation = 0;
  std::int64_t count = 0;  ///< Effects between two runs that did not fail.

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

  /// The effects of each factor.
  /// @param outputs of all runs; not finite where one failed.
  [[nodiscard]] std::vector<MorrisEffect> Estimate(
      std::span<const double> outputs) const;

 private:
  std::shared_ptr<const internal::MorrisTrajectories> trajectories_;
  Design design_;
};

}  // namespace orrery
