#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/design/factor.h"
#include "orrery/experiment/measures/measure.h"
#include "orrery/experiment/optimisation/constraint.h"
#include "orrery/experiment/optimisation/optimisation_problem.h"
#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/experiment/runs/subject.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

enum class OptimisationGoal : std::uint8_t { kMinimise, kMaximise };

/// A measure that is to be small or large. Plain data.
struct Objective {
  OptimisationGoal goal = OptimisationGoal::kMinimise;
  std::string measure;  ///< See Measure.

  friend bool operator==(const Objective&, const Objective&) = default;
};

/// What is sought of a model. Plain data.
struct OptimisationTask {
  std::vector<Factor> factors;  ///< With SearchBounds.
  OptimisationGoal goal = OptimisationGoal::kMinimise;
  std::string objective;                 ///< A measure; see Measure.
  std::vector<std::string> constraints;  ///< See Constraint.
  std::vector<Objective> others = {};    ///< Further objectives.

  /// Of a model with random numbers: runs that each point is evaluated by,
  /// which the objective and the constraints are means over. The same seeds at
  /// all points (common random numbers), so that these differ by their values
  /// alone.
  std::int64_t runs = 1;
  std::uint64_t seed = 1;
};

/// An optimisation problem whose functions are measures of the runs of a model.
/// Their derivatives are exact where the runs can tell how they move with what
/// varies, and the measures move smoothly with these.
class MeasuredProblem final : public OptimisationProblem {
 public:
  /// @throws Error kInvalidArgument as SearchSpace, Subject::KindOfVaried,
  ///     Measure and Constraint; for an objective that is a truth, and two
  ///     columns of one name.
  MeasuredProblem(std::shared_ptr<const Subject> subject,
                  const OptimisationTask& task);

  [[nodiscard]] const Subject& subject() const noexcept { return *subject_; }

  [[nodiscard]] const Measure& objective() const noexcept {
    return measures_.front();
  }

  /// Of objective `i`.
  [[nodiscard]] OptimisationGoal goal(std::size_t i = 0) const {
    return goals_[i];
  }

  [[nodiscard]] std::size_t num_objectives() const noexcept {
    return goals_.size();
  }

  [[nodiscard]] std::size_t ColumnOfObjective(std::size_t i) const noexcept {
    return space_.size() + (i == 0 ? 0 : kinds_.size() + i);
  }

  /// What varies; the objective; by how much each constraint is missed, which
  /// is not positive where it holds; further objectives.
  [[nodiscard]] const std::vector<RunColumn>& columns() const noexcept {
    return columns_;
  }

  /// The numbers of these columns at a point, NaN where it comes to nothing.
  /// The objective is as it was given, not as it is minimised.
  [[nodiscard]] std::vector<double> RowOf(const EvaluatedPoint& point) const;

  /// What such a row says that its point comes to, without the magnitudes of
  /// constraints.
  /// @param failure of the point; empty if it has none.
  [[nodiscard]] PointResult ResultIn(std::span<const double> row,
                                     const std::string& failure) const;

  [[nodiscard]] const SearchSpace& space() const noexcept override {
    return space_;
  }

  [[nodiscard]] std::span<const ConstraintKind> constraints()
      const noexcept override {
    return kinds_;
  }

  [[nodiscard]] bool is_differentiable() const noexcept override {
    return is_differentiable_;
  }

  [[nodiscard]] std::unique_ptr<Evaluator> MakeEvaluator(
      Executor& executor) const override;

 private:
  class Runs;

  // Objective `i` in the sense of a minimum, and back.
  [[nodiscard]] double Signed(double objective, std::size_t i = 0) const {
    return goals_[i] == OptimisationGoal::kMaximise ? -objective : objective;
  }

  void AddObjective(const std::string& measure, const SignalTable& signals);

  std::shared_ptr<const Subject> subject_;
  SearchSpace space_;
  std::vector<OptimisationGoal> goals_;
  // The objective, then two a constraint, then further objectives.
  std::vector<Measure> measures_;
  std::vector<ConstraintKind> kinds_;
  std::vector<RunColumn> columns_;
  std::int64_t runs_;
  std::uint64_t seed_;
  bool is_differentiable_;
};

}  // namespace orrery
