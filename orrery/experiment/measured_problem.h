#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/constraint.h"
#include "orrery/experiment/factor.h"
#include "orrery/experiment/measure.h"
#include "orrery/experiment/optimisation_problem.h"
#include "orrery/experiment/optimise.h"
#include "orrery/experiment/subject.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

enum class OptimisationGoal : std::uint8_t { kMinimise, kMaximise };

/// What is sought of a model. Plain data.
struct OptimisationTask {
  std::vector<Factor> factors;  ///< With SearchBounds.
  OptimisationGoal goal = OptimisationGoal::kMinimise;
  std::string objective;                 ///< A measure; see Measure.
  std::vector<std::string> constraints;  ///< See Constraint.

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

  [[nodiscard]] OptimisationGoal goal() const noexcept { return goal_; }

  /// What varies; the objective; by how much each constraint is missed, which
  /// is not positive where it holds.
  [[nodiscard]] const std::vector<RunColumn>& columns() const noexcept {
    return columns_;
  }

  /// The numbers of these columns at a point, NaN where it comes to nothing.
  /// The objective is as it was given, not as it is minimised.
  [[nodiscard]] std::vector<double> RowOf(const EvaluatedPoint& point) const;

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

  // The objective in the sense of a minimum.
  [[nodiscard]] double Signed(double objective) const noexcept {
    return goal_ == OptimisationGoal::kMaximise ? -objective : objective;
  }

  std::shared_ptr<const Subject> subject_;
  SearchSpace space_;
  OptimisationGoal goal_;
  std::vector<Measure> measures_;  // The objective, then two a constraint.
  std::vector<ConstraintKind> kinds_;
  std::vector<RunColumn> columns_;
  std::int64_t runs_;
  std::uint64_t seed_;
  bool is_differentiable_;
};

}  // namespace orrery
