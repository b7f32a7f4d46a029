#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "orrery/base/methods/lane_outcome.h"
#include "orrery/base/methods/step_power.h"

namespace orrery {

/// A unit of time that is so many times too short or too long for a series is
/// chosen anew.
inline constexpr double kFarOff = 1e3;

/// The series of a step is that of another function where it ends if this is
/// less than the square of the error, in units of the tolerance, to which the
/// difference of the slopes of that series and of the next one would lead.
inline constexpr double kOtherFunction = 1e2;

/// Where accuracy limits a step, its terms fall evenly, from the size of a
/// state to the tolerance: that of half the order is about the root of the
/// state, both in units of the tolerance. One of more than this part of that is
/// such a one...
inline constexpr double kMiddleTerm = 0.1;

/// ...unless it is no more than so many times what an eigenvalue would make it
/// that has made the last term of the one before.
inline constexpr double kOfEigenvalue = 2;

/// p!/m! for an order p, m = p/2: where terms are z^k/k!, as those of exp(z),
/// the one of order m is so many times the last one divided by z^(p-m).
[[nodiscard]] constexpr double MiddleOfExponential(int order) noexcept {
  double product = 1;
  for (int k = order / 2 + 1; k <= order; ++k) {
    product *= k;
  }
  return product;
}

/// The largest power of two that is not above `time`, a positive normal number:
/// a unit of time by which nothing is rounded.
[[nodiscard]] inline double UnitNear(double time) noexcept {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(time) &
                               kExponentMask);
}

/// Steps by Taylor series of one order, side by side in lanes: element i of an
/// array in lane l is at [i * lanes + l].
struct TaylorSteps {
  /// What there is one number of in each lane.
  enum Number : std::size_t {
    kT,           ///< s
    kBegin,       ///< Of the last step, s.
    kUntil,       ///< Where to stop, or after it, s.
    kLimit,       ///< What no step goes beyond, s.
    kUnit,        ///< In which time theta goes from 0 to 1, s.
    kLength,      ///< Of the step that the series at t allows, s.
    kGrowth,      ///< From the last but one to the last of its terms.
    kLastGrowth,  ///< That of the last step.
    kLeastStep,   ///< What is shorter is looked at more closely, s.
    kMaxStep,     ///< s
    /// Stops where a step's growth times its theta is more, unless its term of
    /// half the order tells that accuracy limits it.
    kGrowthLimit,
    kMostSteps,
    kSteps,
    kOutcome,  ///< A LaneOutcome.
    kNumNumbers
  };

  double* numbers = nullptr;
  double* x = nullptr;     ///< Where the steps begin and lead.
  double* lost = nullptr;  ///< Of it, by rounding.
  /// The coefficients of the last step, that of theta^k and state i being
  /// element k * n + i, and those at x. Of a lane that is stuck `last` is what
  /// `next` is of others.
  double* last = nullptr;
  double* next = nullptr;
  const double* absolute_tolerances = nullptr;  ///< By state, for all lanes.
  double relative_tolerance = 0;
  double safety = 1;  ///< Of the step's length.
};

}  // namespace orrery
