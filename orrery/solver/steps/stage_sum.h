#pragma once

#include <cstddef>
#include <span>

namespace orrery::solver::internal {

/// sum_j weights[j] * stages[j] over the weights that are not 0, in order, with
/// one rounding for each term: w_0 k_0, then fused w_j k_j + the sum so far.
/// Machine code of steps has the same bits.
struct StageSum {
  std::span<const double> weights;  ///< At least one of them is not 0.
  std::span<const double* const> stages;
};

/// Writes the sum, element by element.
void Evaluate(const StageSum& sum, std::span<double> result) noexcept;

/// Writes x + h * the sum, fused, to `result`; for a single term w k, x + (h w)
/// k.
void Add(const StageSum& sum,
         double h,
         std::span<const double> x,
         std::span<double> result) noexcept;

/// Likewise for the argument of a stage, with the last term added by itself: (x
/// + h * the others) + (h w) k, each sum fused. Each stage waits for the slope
/// of the one before it; so it waits for one operation more, not for two. The
/// additional rounding counts by h times the slopes' derivative.
void AddForStage(const StageSum& sum,
                 double h,
                 std::span<const double> x,
                 std::span<double> result) noexcept;

}  // namespace orrery::solver::internal
