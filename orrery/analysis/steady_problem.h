#pragma once

#include <limits>
#include <vector>

#include "orrery/analysis/least_squares.h"
#include "orrery/analysis/quantities.h"
#include "orrery/analysis/steady_state.h"
#include "orrery/sim/operating_point.h"

namespace orrery::analysis::internal {

/// The unknowns and the conditions of a search for a steady state, and their
/// evaluation at an operating point, which it moves.
class SteadyProblem {
 public:
  /// @throws Error kInvalidArgument as `FindSteadyState` does.
  SteadyProblem(OperatingPoint& point, const SteadyStateOptions& options);

  /// A state or an input that may change.
  struct Unknown {
    Quantity quantity;
    double scale = 1;
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
  };

  /// A quantity that has to lie in a range.
  struct Condition {
    Quantity quantity;
    QuantityRange range;
  };

  [[nodiscard]] const std::vector<Unknown>& unknowns() const noexcept {
    return unknowns_;
  }

  [[nodiscard]] const std::vector<Condition>& conditions() const noexcept {
    return conditions_;
  }

  [[nodiscard]] OperatingPoint& point() noexcept { return point_; }

  [[nodiscard]] const OperatingPoint& point() const noexcept { return point_; }

  /// The unknowns at the point, scaled.
  [[nodiscard]] Eigen::VectorXd Start() const;

  [[nodiscard]] Eigen::VectorXd Lower() const;
  [[nodiscard]] Eigen::VectorXd Upper() const;

  /// Moves the point to the scaled unknowns `z` and evaluates.
  /// @returns true if the values of all conditions and of the objective are
  ///     finite.
  bool MoveTo(const Eigen::VectorXd& z);

  /// The value of a condition's quantity, or of the objective, at the point.
  [[nodiscard]] double ValueOf(const Condition& condition) const {
    return point_.Value(condition.quantity.at);
  }

  [[nodiscard]] double objective() const { return point_.Value(objective_.at); }

  [[nodiscard]] bool has_objective() const noexcept {
    return !objective_.name.empty();
  }

  /// 1 to minimise, -1 to maximise.
  [[nodiscard]] double objective_sign() const noexcept {
    return objective_sign_;
  }

  /// The derivatives of the conditions' quantities, one per row, then of the
  /// objective if there is one, along the scaled unknowns.
  /// @returns true if all are finite.
  bool Differentiate(Eigen::MatrixXd& slopes);

  /// Its residuals are the distances of the conditions' quantities from their
  /// ranges.
  [[nodiscard]] LeastSquaresProblem AsLeastSquares();

 private:
  void AddUnknowns(std::vector<Quantity> quantities,
                   const std::vector<double>& nominal);
  void AddRange(const QuantityRange& range);
  bool BoundUnknown(const Quantity& quantity, const QuantityRange& range);
  void AddSteadiness(const SteadyStateOptions& options,
                     const std::vector<Quantity>& states);
  void AddConstraints();
  void FixUnknowns();
  void TakeObjective(const SteadyStateOptions& options);
  void TakeGuesses(const SteadyStateOptions& options);

  OperatingPoint& point_;
  std::vector<Unknown> unknowns_;
  std::vector<Condition> conditions_;
  Quantity objective_;
  double objective_sign_ = 1;
};

}  // namespace orrery::analysis::internal
