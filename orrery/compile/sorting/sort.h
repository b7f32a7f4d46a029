#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "orrery/compile/system/solve.h"
#include "orrery/compile/system/system.h"

namespace orrery::internal {

/// scalar := value; for a slice, for all values of its iterators in order.
struct ExplicitEquation {
  std::uint32_t scalar = 0;
  Expr value;
  std::uint32_t origin = 0;
};

/// An algebraic loop in its torn form: with values for `torn`, `inner` gives
/// the other members one after the other, and the residuals must be zero.
struct AlgebraicLoop {
  std::vector<std::uint32_t> torn;
  std::vector<Expr> residuals;  ///< In `torn` and quantities outside the loop.
  std::vector<ScalarEquation> residual_equations;  ///< As the user wrote them.
  std::vector<ExplicitEquation> inner;
  bool is_linear = false;
};

using SortedEquation = std::variant<ExplicitEquation, AlgebraicLoop>;

/// Equations to be sorted and what they are to determine.
struct SortProblem {
  std::vector<ScalarEquation> equations;
  std::vector<std::uint32_t> unknowns;  ///< Scalars.
  bool is_of_start = false;  ///< Whether it determines how a run begins.
};

/// A problem's equations and unknowns matched with each other.
struct MatchedProblem {
  SortProblem problem;
  Incidence incidence;
  Matching matching;
};

/// Which unknowns occur in which equation of a problem: rows and columns are
/// positions in its lists.
[[nodiscard]] Incidence FindIncidence(System& system,
                                      const SortProblem& problem);

/// For each equation the unknown it is written to define (`y = ...`), a column,
/// or kNone.
[[nodiscard]] std::vector<std::uint32_t> FindDefinitions(
    const System& system,
    const SortProblem& problem,
    const Incidence& incidence);

/// Which of the unknowns in an equation it may determine: discrete ones follow
/// from equations between discrete quantities or of when-clauses, the others
/// from the rest; slices from their own loops, which determine nothing else.
/// @returns nothing where no unknown is discrete or a slice: then it is all of
/// them.
[[nodiscard]] std::optional<Incidence> FindCandidates(
    System& system, const SortProblem& problem, const Incidence& incidence);

/// Matches equations with the unknowns that they determine, each with one of
/// its candidates, as many as can be.
[[nodiscard]] MatchedProblem Match(System& system, SortProblem problem);

/// Says so if some are left over, since the system is singular: which equations
/// are too many, which unknowns nothing determines.
/// @returns whether none is.
/// @throws Retry instead if there are slices.
bool CheckMatched(System& system,
                  const MatchedProblem& matched,
                  Diagnostics& diagnostics);

/// The problem's algebraic loops and single equations, by rows, each after
/// those that it depends on.
[[nodiscard]] Incidence FindComponents(const MatchedProblem& problem);

/// The part of a problem that holds between events, when everything discrete is
/// known.
[[nodiscard]] MatchedProblem ContinuousPart(System& system,
                                            const MatchedProblem& all);

/// A discrete quantity that a problem takes as known, and what becomes of it.
struct IteratedScalar {
  std::uint32_t scalar = 0;
  std::uint32_t result = 0;
};

/// Equations in order, and what of them is iterated.
struct SortedSystem {
  std::vector<SortedEquation> equations;
  std::vector<IteratedScalar> iterated;
};

/// Breaks loops through relations, as in `x = if x > 1 then y else z`: the
/// truth of a relation in a loop counts as known, and a new unknown is what it
/// should be. A solution is found by iteration.
[[nodiscard]] std::vector<IteratedScalar> BreakLoopsAtRelations(
    System& system, MatchedProblem& matched);

/// Brings the equations into an order in which each follows from those before
/// it, solved for its unknown where that is possible, as a loop where not. Says
/// so where a loop has no or infinitely many solutions.
/// @throws Retry for slices that depend on each other.
[[nodiscard]] std::vector<SortedEquation> Sort(System& system,
                                               const MatchedProblem& matched,
                                               Diagnostics& diagnostics);

/// Solves one strong component: by itself, by Cramer's rule, or torn.
class ComponentSolver {
 public:
  /// @param is_of_start as of the problem that the components are of.
  ComponentSolver(System& system, bool is_of_start, Diagnostics& diagnostics)
      : system_(system),
        solver_(system),
        is_of_start_(is_of_start),
        diagnostics_(diagnostics) {}

  /// Appends the component's explicit equations or its loop to `sorted`; notes
  /// determinants that parameters decide in `System::parameter_loops`.
  /// @param equations as many as `unknowns`.
  void Solve(std::span<const ScalarEquation> equations,
             std::span<const std::uint32_t> unknowns,
             std::vector<SortedEquation>& sorted);

 private:
  bool SolveAlone(const ScalarEquation& equation,
                  std::uint32_t unknown,
                  std::vector<SortedEquation>& sorted);
  bool SolveSymbolically(std::span<const ScalarEquation> equations,
                         std::span<const std::uint32_t> unknowns,
                         std::vector<SortedEquation>& sorted);
  void ReportSingular(std::span<const ScalarEquation> equations,
                      std::span<const std::uint32_t> unknowns,
                      const Solver::LinearForm& form);
  bool ReportIfFloating(std::span<const ScalarEquation> equations,
                        std::span<const std::uint32_t> unknowns);
  std::optional<Solver::LinearForm> Close(AlgebraicLoop& loop);
  void NoteDeterminant(std::span<const ScalarEquation> equations,
                       std::span<const std::uint32_t> unknowns,
                       Expr determinant,
                       bool is_homogeneous);
  bool CheckContinuous(std::span<const ScalarEquation> equations,
                       std::span<const std::uint32_t> unknowns);

  System& system_;
  Solver solver_;
  bool is_of_start_;
  Diagnostics& diagnostics_;
};

/// "x, y and 3 more": the names of the scalars and of what is equal to them.
[[nodiscard]] std::string ListNames(const System& system,
                                    std::span<const std::uint32_t> scalars);

}  // namespace orrery::internal
