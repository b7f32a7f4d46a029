#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/experiment/optimisation/point_scaling.h"
#include "orrery/experiment/optimisation/search_box.h"

namespace orrery::experiment::internal {

/// One search in progress: the problem as functions of a place in the unit cube
/// of a SearchBox, scaled by their magnitudes at the start. A failed point gets
/// values that are bad without leading the method astray.
class SearchLog {
 public:
  /// Takes each evaluated point, except those for derivatives.
  using Take = std::function<void(EvaluatedPoint)>;

  /// The arguments must outlive it.
  SearchLog(const OptimisationProblem& problem,
            const SearchBox& box,
            const OptimisationOptions& options,
            Evaluator& evaluator,
            Take take,
            GoesOn goes_on);

  [[nodiscard]] std::size_t dimension() const noexcept {
    return box_.dimension();
  }

  [[nodiscard]] std::span<const ConstraintKind> constraints() const noexcept {
    return kinds_;
  }

  /// Allows `evaluations` more points.
  void Allow(std::int64_t evaluations);

  /// Number of points that may still be evaluated.
  [[nodiscard]] std::int64_t evaluations_left() const noexcept {
    return limit_ - evaluations_;
  }

  /// Evaluates the functions at `place`. Once no evaluation is allowed, they
  /// keep their values.
  void GoTo(std::span<const double> place);

  /// Why no more evaluations are allowed; without a value if they are.
  [[nodiscard]] const std::optional<SearchEnd>& end() const noexcept {
    return end_;
  }

  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

  /// The point that was evaluated last.
  [[nodiscard]] const EvaluatedPoint& point() const noexcept { return point_; }

  /// The functions: the objective, then the constraints.
  [[nodiscard]] const std::vector<double>& functions() const noexcept {
    return functions_;
  }

  /// Their derivatives, a row each, by place; 0 where they do not exist.
  [[nodiscard]] std::span<const double> Slopes();

  /// The place of the best point; without a value if all have failed.
  [[nodiscard]] const std::optional<std::vector<double>>& best_place()
      const noexcept {
    return best_place_;
  }

  /// Records a point at which the constraints hold as closely as possible.
  void Settle(const EvaluatedPoint& point);

  /// The best of these points.
  [[nodiscard]] const std::optional<EvaluatedPoint>& settled() const noexcept {
    return settled_;
  }

  [[nodiscard]] std::int64_t evaluations() const noexcept {
    return evaluations_;
  }

  [[nodiscard]] std::int64_t slope_evaluations() const noexcept {
    return slope_evaluations_;
  }

 private:
  // The distances to two places that differ from the present one in one
  // coordinate.
  struct Neighbours {
    double near = 0;
    double far = 0;
  };

  [[nodiscard]] Neighbours NeighboursAlong(std::size_t j) const;
  void TakeExact(const std::vector<std::vector<double>>& derivatives);
  void TakeDifferences();
  void NoteSlopes(std::size_t j,
                  const Neighbours& distances,
                  const PointResult& near,
                  const PointResult& far);
  void NoteFunctions(const PointResult& evaluation);
  [[nodiscard]] std::vector<double> Price() const;

  const SearchBox& box_;
  std::span<const ConstraintKind> kinds_;
  double feasibility_;
  double step_;
  Evaluator& evaluator_;
  Take take_;
  GoesOn goes_on_;

  PointScaling judge_;
  std::vector<double> least_;  // By function.
  std::vector<double> most_;

  EvaluatedPoint point_;
  std::vector<double> place_;
  std::vector<double> functions_;
  std::vector<double> slopes_;
  bool has_failed_ = false;
  bool has_slopes_ = false;

  std::optional<EvaluatedPoint> best_;
  std::optional<std::vector<double>> best_place_;
  std::optional<EvaluatedPoint> settled_;
  std::int64_t limit_ = 0;
  std::int64_t evaluations_ = 0;
  std::int64_t slope_evaluations_ = 0;
  std::optional<SearchEnd> end_;
};

}  // namespace orrery::experiment::internal
