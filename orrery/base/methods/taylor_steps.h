#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "orrery/base/methods/lane_outcome.h"
#include "orrery/base/methods/step_power.h"

namespace orrery {

/// A unit of time that is too short or too long for a series by this factor is
/// chosen anew.
inline constexpr double kFarOff = 1e3;

/// Limit of the square of the error, in units of the tolerance, that the
/// difference between the slopes of the series of a step and of the next series
/// causes at the end of the step. Beyond it, the series does not belong to the
/// same function.
inline constexpr double kOtherFunction = 1e2;

/// If accuracy limits a step, its terms decrease evenly from the magnitude of a
/// state to the tolerance. The term of half the order is then about the square
/// root of the state, both in units of the tolerance. Accuracy limits a step if
/// this term exceeds this fraction of the root...
inline constexpr double kMiddleTerm = 0.1;

/// ...and also exceeds, by this factor, the term that would follow from the
/// last term if a dominant eigenvalue determined the terms.
inline constexpr double kOfEigenvalue = 2;

/// p!/m! for an order p and m = p/2. If terms are z^k/k!, as those of exp(z),
/// the term of order m is the last one times this factor, divided by z^(p-m).
[[nodiscard]] constexpr double MiddleOfExponential(int order) noexcept {
  double product = 1;
  for (int k = order / 2 + 1; k <= order; ++k) {
    product *= k;
  }
  return product;
}

/// The largest power of two that is not above `time`, a positive normal number:
/// a unit of time that causes no rounding.
[[nodiscard]] inline double UnitNear(double time) noexcept {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(time) &
                               kExponentMask);
}

/// Steps by Taylor series of one order, side by side in lanes: element i of an
/// array in lane l is at [i * lanes + l].
struct TaylorSteps {
  /// The numbers with one value in each lane.
  enum Number : std::size_t {
    kT,           ///< s
    kBegin,       ///< Start of the last step, s.
    kUntil,       ///< Stop at this time or after it, s.
    kLimit,       ///< No step may pass this time, s.
    kUnit,        ///< The time in which theta goes from 0 to 1, s.
    kLength,      ///< The step that the series at t allows, s.
    kGrowth,      ///< Ratio of its last term to the one before.
    kLastGrowth,  ///< The growth of the last step.
    kLeastStep,   ///< A shorter step makes the lane stuck, s.
    kMaxStep,     ///< s
    /// Stops at a step whose growth times its theta exceeds this, unless its
    /// term of half the order shows that accuracy limits it.
    kGrowthLimit,
    kMostSteps,
    kSteps,
    kOutcome,  ///< A LaneOutcome.
    kNumNumbers
  };

  double* numbers = nullptr;
  double* x = nullptr;     ///< Beginning and end of the steps.
  double* lost = nullptr;  ///< The rounding error of x.
  /// The coefficients of the last step, and those at x; the coefficient of
  /// theta^k and state i is element k * n + i. In a stuck lane, `last` has the
  /// coefficients at x.
  double* last = nullptr;
  double* next = nullptr;
  const double* absolute_tolerances = nullptr;  ///< By state, for all lanes.
  double relative_tolerance = 0;
  double safety = 1;  ///< Factor of the step's length.
};

}  // namespace orrery
