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

/// A measure to be minimised or maximised. Plain data.
struct Objective {
  OptimisationGoal goal = OptimisationGoal::kMinimise;
  std::string measure;  ///< See Measure.

  friend bool operator==(const Objective&, const Objective&) = default;
};

/// The definition of an optimisation of a model. Plain data.
struct OptimisationTask {
  std::vector<Factor> factors;  ///< Their ranges are SearchBounds.
  OptimisationGoal goal = OptimisationGoal::kMinimise;
  std::string objective;                 ///< A measure; see Measure.
  std::vector<std::string> constraints;  ///< See Constraint.
  std::vector<Objective> others = {};    ///< Further objectives.

  /// For a model with random numbers: the number of runs at each point. The
  /// objective and the constraints are means over them. All points have the
  /// same seeds (common random numbers), so that points differ by their values
  /// only.
  std::int64_t runs = 1;
  std::uint64_t seed = 1;
};

/// An optimisation problem whose functions are measures of the runs of a model.
/// Its derivatives are exact if the runs give exact derivatives by the varied
/// quantities and the measures are differentiable.
class MeasuredProblem final : public OptimisationProblem {
 public:
  /// @throws Error kInvalidArgument as SearchSpace, Subject::KindOfVaried,
  ///     Measure and Constraint; for an objective that is a condition, and two
  ///     columns of one name.
  MeasuredProblem(std::shared_ptr<const Subject> subject,
                  const OptimisationTask& task);

  [[nodiscard]] const Subject& subject() const noexcept { return *subject_; }

  [[nodiscard]] const Measure& objective() const noexcept {
    return measures_.front();
  }

  /// The goal of objective `i`.
  [[nodiscard]] OptimisationGoal goal(std::size_t i = 0) const {
    return goals_[i];
  }

  [[nodiscard]] std::size_t num_objectives() const noexcept {
    return goals_.size();
  }

  [[nodiscard]] std::size_t ColumnOfObjective(std::size_t i) const noexcept {
    return space_.size() + (i == 0 ? 0 : kinds_.size() + i);
  }

  /// The varied quantities; the objective; the violation of each constraint,
  /// which is not positive where it holds; further objectives.
  [[nodiscard]] const std::vector<RunColumn>& columns() const noexcept {
    return columns_;
  }

  /// Returns the numbers of these columns at a point, NaN if it failed. The
  /// objective has its original sign, also for maximisation.
  [[nodiscard]] std::vector<double> RowOf(const EvaluatedPoint& point) const;

  /// Returns the result of a point from its row, without the magnitudes of
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

  // Converts objective `i` to the sense of a minimum, and back.
  [[nodiscard]] double Signed(double objective, std::size_t i = 0) const {
    return goals_[i] == OptimisationGoal::kMaximise ? -objective : objective;
  }

  void AddObjective(const std::string& measure, const SignalTable& signals);

  std::shared_ptr<const Subject> subject_;
  SearchSpace space_;
  std::vector<OptimisationGoal> goals_;
  // The objective, then two for each constraint, then further objectives.
  std::vector<Measure> measures_;
  std::vector<ConstraintKind> kinds_;
  std::vector<RunColumn> columns_;
  std::int64_t runs_;
  std::uint64_t seed_;
  bool is_differentiable_;
};

}  // namespace orrery
