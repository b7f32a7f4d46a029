#pragma once

namespace orrery::internal {

/// What "auto" asks of an integrator to decide whether it is the right one.
class StabilityEstimate {
 public:
  StabilityEstimate() = default;
  StabilityEstimate(const StabilityEstimate&) = delete;
  StabilityEstimate& operator=(const StabilityEstimate&) = delete;
  virtual ~StabilityEstimate() = default;

  /// Whether the last step was longer than `part` of the longest one that an
  /// explicit method could take there without instability. For an explicit
  /// method by an estimate of what it did: about 1 says that stability, not
  /// accuracy, limits it. For an implicit one by a bound from above: below 1 it
  /// is not needed.
  [[nodiscard]] virtual bool IsStepBeyond(double part) = 0;
};

/// The longest step of Dormand-Prince 5(4) times the largest eigenvalue.
inline constexpr double kStabilityBound = 3.25;

}  // namespace orrery::internal
