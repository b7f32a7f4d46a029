#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/experiment/optimisation/point_judge.h"
#include "orrery/experiment/optimisation/search_box.h"

namespace orrery::internal {

/// One search on its way: the problem as a method sees it, as functions of a
/// place in the unit cube of a SearchBox, which are scaled by what they are
/// where the search began. A point that comes to nothing seems as bad as can be
/// without leading the method astray.
class SearchCourse {
 public:
  /// Takes each point that is evaluated, but those for slopes.
  using Take = std::function<void(EvaluatedPoint)>;

  /// What it refers to must outlive it.
  SearchCourse(const OptimisationProblem& problem,
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

  /// Lets so many points be evaluated from now on.
  void Allow(std::int64_t evaluations);

  /// How many more may be evaluated.
  [[nodiscard]] std::int64_t evaluations_left() const noexcept {
    return limit_ - evaluations_;
  }

  /// Evaluates the functions at `place`, unless nothing may be evaluated any
  /// more: then they stay as they are.
  void GoTo(std::span<const double> place);

  /// Why nothing may be evaluated any more; none if it may.
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

  /// Their derivatives, as many rows, by place; 0 where there are none.
  [[nodiscard]] std::span<const double> Slopes();

  /// The place of the best point; none if all have failed.
  [[nodiscard]] const std::optional<std::vector<double>>& best_place()
      const noexcept {
    return best_place_;
  }

  /// Notes a point at which the constraints hold as closely as they can.
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
  // Two places beside the present one that differ in one coordinate.
  struct Neighbours {
    double near = 0;  // How far they are.
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

  PointJudge judge_;
  std::vector<double> least_;  // What the functions have been.
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

}  // namespace orrery::internal
