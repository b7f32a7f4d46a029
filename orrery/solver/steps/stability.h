#pragma once

namespace orrery::solver::internal {

/// The estimates by which "auto" decides whether an integrator is the right
/// one.
class StabilityEstimate {
 public:
  StabilityEstimate() = default;
  StabilityEstimate(const StabilityEstimate&) = delete;
  StabilityEstimate& operator=(const StabilityEstimate&) = delete;
  virtual ~StabilityEstimate() = default;

  /// True if the last step was longer than `part` of the longest step of an
  /// explicit method that is stable there. An explicit method estimates it from
  /// the step itself: about 1 means that stability, not accuracy, limits the
  /// step. An implicit method uses an upper bound: below 1 it is not needed.
  [[nodiscard]] virtual bool IsStepBeyond(double part) = 0;
};

/// Longest stable step of Dormand-Prince 5(4) times the largest eigenvalue.
inline constexpr double kStabilityBound = 3.25;

}  // namespace orrery::solver::internal
