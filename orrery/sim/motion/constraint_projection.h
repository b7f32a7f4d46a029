#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/program/program.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/machine/tangents.h"
#include "orrery/solver/algebra/minimum_norm_solver.h"

namespace orrery::sim::internal {

/// Moves states to where the program's constraints hold, by the shortest move,
/// measured in tolerances. The Jacobian of the constraints is kept as long as
/// the iteration converges with it. Belongs to one run.
///
/// Source: Eich, SIAM J. Numer. Anal. 30 (1993) 1467-1482; Hairer and Wanner,
/// Solving Ordinary Differential Equations II (1996), section VII.2.
class ConstraintProjection {
 public:
  enum class Outcome : std::uint8_t {
    kHolds,  ///< The states are near enough; none was moved.
    kMoved,
    kFailed  ///< No such states were found nearby.
  };

  /// Greatest distance of set states from the constraints, in tolerances, that
  /// is excused if no other state can move. The values that were set follow
  /// from states that were off by the errors of integration.
  static constexpr double kExcused = 1000;

  /// @param evaluator must outlive it.
  /// @param relative and `absolute`: tolerances, the latter by state.
  ConstraintProjection(ProgramEvaluator& evaluator,
                       double relative,
                       std::vector<double> absolute);

  /// Projects the states `x` at the start; all else is in memory. States with a
  /// fixed start do not move. States that initial equations determine follow.
  /// After kMoved, memory holds the start values to run the initialization
  /// with.
  Outcome ProjectStart(std::span<double> x);

  /// Lets free start values move along the directions of `along`, so that the
  /// constraints hold along them to first order. Precondition: `ProjectStart`,
  /// then the initialization and the constraints' schedule, were run and
  /// followed along `along`. The initialization has to be run again.
  /// @param has_moved whether `ProjectStart` gave kMoved.
  /// @returns false if the move is not known: more start values moved than
  ///     there are constraints.
  bool FollowStart(Tangents& along, bool has_moved);

  /// Directions along which moves are differentiated.
  struct Directions {
    Tangents& tangents;
    std::span<const double> scales;  ///< Typical size of each direction's
                                     ///< quantity.
  };

  /// Checks the constraints along all directions. Precondition: after
  /// `FollowStart`, the constraints' schedule was run once more.
  /// @returns false if one does not hold; the first of these is `worst`.
  bool HoldsAlong(const Directions& along);

  /// Before an event, with its left limit in memory: notes how far the
  /// constraints are from holding by the errors of integration. That much is
  /// excused after the event.
  void NoteDrift(const Directions& along);

  /// Checks the constraints along all directions, after the event's projection
  /// has led to the states `x`.
  /// @returns as HoldsAlong.
  bool HoldsAfterEvent(std::span<const double> x, const Directions& along);

  /// Projects the states `x` at the time in memory, after a step.
  /// @param allowed greatest distance of the states, and of their tangents in
  ///     `along`, from the constraints, in tolerances.
  /// @param along null: there are no tangents.
  Outcome ProjectStep(std::span<double> x,
                      double allowed,
                      const Directions* along = nullptr);

  /// Projects the states `x` after an event that has set no bound state, but
  /// may have moved the constraints.
  /// @param along tangents; those of the states follow, which counts as a move.
  ///     The tangents of all else in memory are in place. Null: there are none.
  Outcome Project(std::span<double> x,
                  double allowed,
                  const Directions* along = nullptr);

  /// Projects the states `x` at the time in memory after some were set, which
  /// do not move. Positions move first, by the constraints between positions
  /// alone; velocities move then, by the others. Each move is the shortest one,
  /// measured in nominal values.
  /// @param set numbers of the states that were set.
  Outcome ProjectSet(std::span<double> x,
                     std::span<const std::size_t> set,
                     double allowed,
                     const Directions* along = nullptr);

  /// Writes the Jacobian that is kept, or reads it.
  void Transfer(StateStream& stream);

  /// After kFailed: the constraint that was farthest from holding before any
  /// move. Residuals after a divergent iteration say nothing.
  [[nodiscard]] const StateConstraint& worst() const noexcept;

 private:
  Outcome Iterate(std::span<double> x, double allowed);
  Outcome ProjectLevel(std::span<double> x,
                       std::span<const std::size_t> set,
                       double allowed);
  void HoldOtherStates(std::span<const std::size_t> set);
  [[nodiscard]] bool IsInLevel(std::size_t constraint) const;
  bool EvaluateResiduals(std::span<const double> x);
  bool EvaluateMatrix();
  bool FindSlopes(std::span<double> slopes);
  bool PassFrom(std::uint32_t slot, const Schedule& schedule);
  bool FindStartSlopes();
  [[nodiscard]] bool HasManyStarts() const;
  void SetStarts(std::span<const double> x);
  [[nodiscard]] bool IsFree(std::size_t state) const;
  std::optional<double> FindMove(std::span<const double> x, double last);
  void DropRounding();
  [[nodiscard]] bool Move(std::span<double> x) const;
  double SolveMove();
  [[nodiscard]] double Rest() const;
  void FindWorst();
  void SetWeights(std::span<const double> x);
  // Along directions.
  Outcome FollowStep(std::span<const double> x,
                     Outcome outcome,
                     double allowed,
                     const Directions& along);
  void FollowMove(bool has_move);
  void FollowWhereItEnds(std::span<const double> x);
  void TurnMove(std::span<const double> turn, std::span<double> change);
  [[nodiscard]] std::vector<double> FindTurn(std::size_t k);
  [[nodiscard]] double StepAlong(std::size_t k) const;
  void SetNominalWeights(std::span<const double> x);
  void FindWeightSlopes(std::span<const double> x);
  [[nodiscard]] std::vector<double> StatesAlong() const;
  void SetStatesAlong(std::span<const double> values);
  void Lose();

  ProgramEvaluator& evaluator_;
  const ConstraintProgram& program_;
  double relative_;
  std::vector<double> absolute_;
  Tangents tangents_;
  MinimumNormSolver
      matrix_;  // Slopes times tolerances, by constraint and state.
  bool has_matrix_ = false;
  bool is_start_ = false;
  std::uint8_t level_ = 0;  // Level in use; 0: constraints of all levels.
  std::vector<std::uint8_t> is_held_;       // By state, within a level.
  std::vector<std::uint32_t> start_slots_;  // By state, while is_start_.
  std::vector<double> weights_;
  std::vector<double> residuals_;
  std::size_t worst_ = 0;
  std::vector<double> scales_;  // Size of each residual, per tolerance.
  std::vector<double> move_;
  const Directions* along_ = nullptr;  // Null: nothing is followed.
  std::vector<double> weight_slopes_;  // By direction and state.
  std::vector<double> drifts_;         // By direction and constraint.
};

/// Numbers of the states in `slots` that constraints bind, each once.
[[nodiscard]] std::vector<std::size_t> BoundStates(
    const Program& program, std::span<const std::uint32_t> slots);

/// "x^2 + y^2 = L^2"
[[nodiscard]] std::string TextOf(const StateConstraint& constraint);

/// Explains the end of a run at a constraint, with its place.
[[nodiscard]] Explanation ExplainConstraint(const StateConstraint& constraint,
                                            std::string message,
                                            std::string hint);

/// Explains why `ProjectSet` failed at `t`.
[[nodiscard]] Explanation ExplainSetOffConstraint(
    const Program& program,
    std::span<const std::size_t> set,
    const StateConstraint& worst,
    double t);

/// Explains why `ProjectStart` failed.
[[nodiscard]] Explanation ExplainStartOffConstraint(
    const StateConstraint& worst);

}  // namespace orrery::sim::internal
