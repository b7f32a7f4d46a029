#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "orrery/base/methods/explicit_tableau.h"
#include "orrery/base/methods/lane_outcome.h"

namespace orrery {

/// How a one-step method adapts its steps. Hairer, Norsett & Wanner, Solving
/// ODEs I, II.4; Hairer & Wanner, Solving ODEs II, IV.2 and IV.8.
struct StepControl {
  int order = 5;            ///< Of the local error estimate's exponent.
  double beta = 0;          ///< Of the PI controller; 0: plain.
  bool predictive = false;  ///< Gustafsson's controller for stiff methods.
  double safety = 0.9;
  double min_factor = 0.2;  ///< Bounds of the change of step.
  double max_factor = 10;
};

/// A step that would leave less than this part of itself ends at the limit.
inline constexpr double kStretch = 1.01;

/// Below this part of t, rounding leaves nothing of a step; near t = 0, where
/// there is no such bound, this part of the way to go is out of all proportion.
inline constexpr double kPartOfTime =
    4 * std::numeric_limits<double>::epsilon();
inline constexpr double kPartOfWay = 1e-30;

/// The logarithm (to base 2) of an error does not count for less than this in
/// the control of the step after the next.
inline constexpr double kLeastPreviousLog = -13.3;

/// An explicit Runge-Kutta method that estimates its error by the stages. With
/// one estimate e the error is the root mean square of h e_i, with two that of
/// Solving ODEs I, eq. (II.10.17), where the second is of lower order.
struct EmbeddedMethod {
  ExplicitTableau tableau;
  std::span<const double> error;        ///< Weights of the stages in e.
  std::span<const double> lower_error;  ///< Empty: there is one estimate.
  double stability_bound = 0;  ///< The longest stable step times eigenvalue.
  StepControl control;
};

/// Adaptive steps by such a method, side by side in lanes: element i of an
/// array in lane l is at [i * lanes + l].
struct EmbeddedSteps {
  /// What there is one number of in each lane.
  enum Number : std::size_t {
    kT,          ///< s
    kBegin,      ///< Of the last step, s.
    kUntil,      ///< Where to stop, or after it, s.
    kLimit,      ///< What no step goes beyond, s.
    kStep,       ///< To try next, s.
    kFirstStep,  ///< Tried first in the step at hand, s.
    kLeastStep,  ///< What is shorter is looked at more closely, s.
    kMaxStep,    ///< s
    /// Stops where a step is longer than this part of the longest stable one,
    /// as `StabilityEstimate` says.
    kStabilityLimit,
    kPreviousLog,  ///< Of the last step's error, to base 2.
    kPlannedStep,  ///< The last one before the limit cut it, if one arrives, s.
    kMostSteps,
    kSteps,
    kRejectedSteps,
    kRejectedBefore,  ///< Before the step at hand.
    kOutcome,         ///< A LaneOutcome.
    kNumNumbers
  };

  double* numbers = nullptr;
  double* x = nullptr;        ///< Where the steps begin and lead.
  double* slope = nullptr;    ///< f there.
  double* x_begin = nullptr;  ///< Where the last step began...
  double* slope_begin = nullptr;
  double* stages = nullptr;    ///< ...its stages k_1, ..., behind room for k_0.
  double* argument = nullptr;  ///< Where the last stage was evaluated.
  double* x_new = nullptr;     ///< Scratch.
  const double* absolute_tolerances = nullptr;  ///< By state, for all lanes.
  double relative_tolerance = 0;
};

}  // namespace orrery
