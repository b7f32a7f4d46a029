#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "orrery/base/methods/explicit_tableau.h"
#include "orrery/base/methods/lane_outcome.h"

namespace orrery {

/// The step control of a one-step method. Hairer, Norsett & Wanner, Solving
/// ODEs I, II.4; Hairer & Wanner, Solving ODEs II, IV.2 and IV.8.
struct StepControl {
  int order = 5;    ///< Gives the exponent of the local error estimate.
  double beta = 0;  ///< Parameter of the PI controller; 0: plain control.
  bool predictive = false;  ///< Gustafsson's controller for stiff methods.
  double safety = 0.9;
  double min_factor = 0.2;  ///< Bounds of the change of step.
  double max_factor = 10;
};

/// A step that would leave less than this fraction of itself is stretched to
/// the limit.
inline constexpr double kStretch = 1.01;

/// Rounding makes a step useless that is below this fraction of t. Near t = 0,
/// where this gives no bound, the limit is the second fraction, of the
/// remaining time.
inline constexpr double kPartOfTime =
    4 * std::numeric_limits<double>::epsilon();
inline constexpr double kPartOfWay = 1e-30;

/// Lower limit of the logarithm (to base 2) of an error in the control of the
/// step after the next.
inline constexpr double kLeastPreviousLog = -13.3;

/// An explicit Runge-Kutta method with error estimates by its stages. With one
/// estimate e the error is the root mean square of h e_i. With two it is that
/// of Solving ODEs I, eq. (II.10.17), where the second estimate is of lower
/// order.
struct EmbeddedMethod {
  ExplicitTableau tableau;
  std::span<const double> error;        ///< Weights of the stages in e.
  std::span<const double> lower_error;  ///< Empty: there is one estimate.
  double stability_bound = 0;           ///< Limit of step times eigenvalue.
  StepControl control;
};

/// Adaptive steps by such a method, side by side in lanes: element i of an
/// array in lane l is at [i * lanes + l].
struct EmbeddedSteps {
  /// The numbers with one value in each lane.
  enum Number : std::size_t {
    kT,          ///< s
    kBegin,      ///< Start of the last step, s.
    kUntil,      ///< Stop at this time or after it, s.
    kLimit,      ///< No step may pass this time, s.
    kStep,       ///< The next step, s.
    kFirstStep,  ///< The first attempt of the present step, s.
    kLeastStep,  ///< A shorter step makes the lane stuck, s.
    kMaxStep,    ///< s
    /// Stops at a step longer than this fraction of the longest stable one; see
    /// `StabilityEstimate`.
    kStabilityLimit,
    kPreviousLog,  ///< Logarithm of the last step's error, to base 2.
    kPlannedStep,  ///< When the lane arrives: the last step before the limit
                   ///< cut it, s.
    kMostSteps,
    kSteps,
    kRejectedSteps,
    kRejectedBefore,  ///< Before the present step.
    kOutcome,         ///< A LaneOutcome.
    kNumNumbers
  };

  double* numbers = nullptr;
  double* x = nullptr;        ///< Beginning and end of the steps.
  double* slope = nullptr;    ///< f at x.
  double* x_begin = nullptr;  ///< Start of the last step,
  double* slope_begin = nullptr;
  double* stages = nullptr;  ///< and its stages k_1, ..., behind room for k_0.
  double* argument = nullptr;  ///< The argument of the last stage.
  double* x_new = nullptr;     ///< Scratch.
  const double* absolute_tolerances = nullptr;  ///< By state, for all lanes.
  double relative_tolerance = 0;
};

}  // namespace orrery
