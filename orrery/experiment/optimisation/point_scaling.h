#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/experiment/optimisation/optimise.h"

namespace orrery::experiment::internal {

/// True if the evaluation has not failed and all its numbers are finite.
[[nodiscard]] bool HasCompleted(const PointResult& evaluation);

/// True if `a` is the better point: it violates the constraints less or, if
/// both satisfy them alike, has a lower objective. A point that has not failed
/// is better than one that has.
[[nodiscard]] bool IsBetter(const EvaluatedPoint& a,
                            const EvaluatedPoint& b,
                            double feasibility);

/// Scales the objective and the constraints of a search by their magnitudes at
/// the first point that does not fail.
class PointScaling {
 public:
  explicit PointScaling(std::span<const ConstraintKind> kinds)
      : kinds_(kinds) {}

  /// @param evaluation of the point with `values`.
  [[nodiscard]] EvaluatedPoint Judge(std::vector<double> values,
                                     PointResult evaluation);

  /// True if any point has not failed.
  [[nodiscard]] bool has_scales() const noexcept { return !scales_.empty(); }

  /// The scale of the objective (0) and of the constraints.
  [[nodiscard]] double scale(std::size_t i) const { return scales_[i]; }

  /// The scaled objective and constraints, once there are scales.
  [[nodiscard]] std::vector<double> Scaled(const PointResult& evaluation) const;

 private:
  [[nodiscard]] double ViolationOf(const PointResult& evaluation) const;

  std::span<const ConstraintKind> kinds_;
  std::vector<double> scales_;
};

}  // namespace orrery::experiment::internal
