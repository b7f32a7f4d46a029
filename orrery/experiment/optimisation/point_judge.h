#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/experiment/optimisation/optimise.h"

namespace orrery::internal {

/// Whether the evaluation has come to something: to finite numbers.
[[nodiscard]] bool HasCompleted(const PointResult& evaluation);

/// Whether `a` is the better point: one where the constraints hold and the
/// objective is less, else one that violates them less. One that has failed is
/// better than none.
[[nodiscard]] bool IsBetter(const EvaluatedPoint& a,
                            const EvaluatedPoint& b,
                            double feasibility);

/// Sees the objective and the constraints of a search in proportion to what
/// they are at its first point that comes to something.
class PointJudge {
 public:
  explicit PointJudge(std::span<const ConstraintKind> kinds) : kinds_(kinds) {}

  /// @param evaluation of the point with `values`.
  [[nodiscard]] EvaluatedPoint Judge(std::vector<double> values,
                                     PointResult evaluation);

  /// Whether any point has come to something.
  [[nodiscard]] bool has_scales() const noexcept { return !scales_.empty(); }

  /// What the objective (0) and the constraints are in proportion to.
  [[nodiscard]] double scale(std::size_t i) const { return scales_[i]; }

  /// The objective and the constraints in proportion, once there are scales.
  [[nodiscard]] std::vector<double> Scaled(const PointResult& evaluation) const;

 private:
  [[nodiscard]] double ViolationOf(const PointResult& evaluation) const;

  std::span<const ConstraintKind> kinds_;
  std::vector<double> scales_;
};

}  // namespace orrery::internal
