#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/internal/explain.h"
#include "orrery/sim/internal/machine.h"
#include "orrery/sim/internal/tangents.h"
#include "orrery/solver/minimum_norm_solver.h"

namespace orrery::internal {

/// Moves states to where the program's constraints hold: as little as it takes,
/// measured in tolerances. The matrix of the constraints' slopes is kept as
/// long as the iteration converges by it. Belongs to one run.
///
/// Source: Eich, SIAM J. Numer. Anal. 30 (1993) 1467-1482; Hairer and Wanner,
/// Solving Ordinary Differential Equations II (1996), section VII.2.
class ConstraintProjection {
 public:
  enum class Outcome : std::uint8_t {
    kHolds,  ///< The states are as near as they have to be.
    kMoved,
    kFailed  ///< There are no such states nearby.
  };

  /// How far what was set may be from where the constraints hold, in
  /// tolerances, if nothing else can move: it follows from states that were off
  /// by the errors of integration.
  static constexpr double kExcused = 1000;

  /// @param machine must outlive it.
  /// @param relative and `absolute`, one a state: the tolerances.
  ConstraintProjection(Machine& machine,
                       double relative,
                       std::vector<double> absolute);

  /// The states `x` at the start, with all else in memory: those whose start is
  /// fixed do not move, and what initial equations determine follows. After
  /// kMoved, memory holds the start values to run the initialization with.
  Outcome ProjectStart(std::span<double> x);

  /// After `ProjectStart`, with the initialization and the constraints'
  /// schedule run followed along `along`: start values that are free move along
  /// its directions, too, so that the constraints hold there to the first
  /// order. The initialization is to be run again.
  /// @param has_moved whether `ProjectStart` gave kMoved.
  /// @returns whether that is known: not of a move of more start values than
  ///     there are constraints.
  bool FollowStart(Tangents& along, bool has_moved);

  /// What moves are followed along.
  struct Directions {
    Tangents& tangents;
    std::span<const double> scales;  ///< Of what each direction is along.
  };

  /// After that, with the constraints' schedule run once more.
  /// @returns whether the constraints hold along all directions. If not, the
  ///     first that does not is `worst`.
  bool HoldsAlong(const Directions& along);

  /// Before an event, with its left limit in memory: how far the constraints
  /// are from holding, by the errors of integration, is excused after it.
  void NoteDrift(const Directions& along);

  /// After the event's projection has led to the states `x`.
  /// @returns as HoldsAlong.
  bool HoldsAfterEvent(std::span<const double> x, const Directions& along);

  /// The states `x` at the time in memory, after a step.
  /// @param allowed how far they, and their tangents in `along`, may be from
  ///     where the constraints hold, in tolerances. Null: there are no
  ///     tangents.
  Outcome ProjectStep(std::span<double> x,
                      double allowed,
                      const Directions* along = nullptr);

  /// Likewise after an event that has set none of them, but may have moved the
  /// constraints.
  /// @param along the states' tangents in it follow, which counts as a move;
  ///     null: there are none. For all else in memory they are there.
  Outcome Project(std::span<double> x,
                  double allowed,
                  const Directions* along = nullptr);

  /// The states `x` at the time in memory, after some of them were set: these
  /// do not move. Of the others positions move first, by what binds positions
  /// alone; then velocities, by the rest. They go to what is nearest, measured
  /// in nominal values.
  /// @param set the numbers of these states.
  Outcome ProjectSet(std::span<double> x,
                     std::span<const std::size_t> set,
                     double allowed,
                     const Directions* along = nullptr);

  /// After kFailed, the constraint that was farthest from holding before any
  /// move: what a search without end comes to says nothing.
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
  static void AddProduct(std::span<const double> a,
                         std::span<const double> x,
                         std::span<double> sum);

  Machine& machine_;
  const ConstraintProgram& program_;
  double relative_;
  std::vector<double> absolute_;
  Tangents tangents_;
  MinimumNormSolver
      matrix_;  // Slopes, times tolerances, by constraint and state.
  bool has_matrix_ = false;
  bool is_start_ = false;
  std::uint8_t level_ = 0;  // The one that counts; 0: all constraints do.
  std::vector<std::uint8_t> is_held_;       // By state, in a level.
  std::vector<std::uint32_t> start_slots_;  // By state, while is_start_.
  std::vector<double> weights_;
  std::vector<double> residuals_;
  std::size_t worst_ = 0;
  std::vector<double> scales_;  // Of residuals: a tolerance's worth.
  std::vector<double> move_;
  const Directions* along_ = nullptr;  // Null: nothing is followed.
  std::vector<double> weight_slopes_;  // By direction and state.
  std::vector<double> drifts_;         // By direction and constraint.
};

/// The numbers of the states among `slots` that constraints bind, each once.
[[nodiscard]] std::vector<std::size_t> BoundStates(
    const Program& program, std::span<const std::uint32_t> slots);

/// "x^2 + y^2 = L^2"
[[nodiscard]] std::string TextOf(const StateConstraint& constraint);

/// The end of a run at a constraint, with its place.
[[nodiscard]] Explanation ExplainConstraint(const StateConstraint& constraint,
                                            std::string message,
                                            std::string hint);

/// After `ProjectSet` failed at `t`.
[[nodiscard]] Explanation ExplainSetOffConstraint(
    const Program& program,
    std::span<const std::size_t> set,
    const StateConstraint& worst,
    double t);

/// After `ProjectStart` failed.
[[nodiscard]] Explanation ExplainStartOffConstraint(
    const StateConstraint& worst);

}  // namespace orrery::internal
