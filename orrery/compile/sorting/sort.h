#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/system/incidence.h"
#include "orrery/compile/system/system.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// scalar := value; for a slice, for all values of its iterators in order.
struct ExplicitEquation {
  std::uint32_t scalar = 0;
  Expr value;
  std::uint32_t origin = 0;
};

/// An algebraic loop in its torn form. Given values for `torn`, `inner`
/// computes the other members in order; the residuals must become zero.
struct AlgebraicLoop {
  std::vector<std::uint32_t> torn;
  std::vector<Expr> residuals;  ///< In `torn` and outer quantities.
  std::vector<ScalarEquation> residual_equations;  ///< As the user wrote them.
  std::vector<ExplicitEquation> inner;
  bool is_linear = false;
};

using SortedEquation = std::variant<ExplicitEquation, AlgebraicLoop>;

/// Equations to be sorted and the unknowns that they determine.
struct SortProblem {
  std::vector<ScalarEquation> equations;
  std::vector<std::uint32_t> unknowns;  ///< Scalars.
  bool is_of_start = false;             ///< It determines the start of a run.
};

/// A problem with its equations and unknowns matched.
struct MatchedProblem {
  SortProblem problem;
  Incidence incidence;
  Matching matching;
};

/// Finds the unknowns in each equation of a problem. Rows and columns are
/// positions in its lists.
[[nodiscard]] Incidence FindIncidence(System& system,
                                      const SortProblem& problem);

/// Finds for each equation the unknown it is written to define (`y = ...`): a
/// column, or kNone.
[[nodiscard]] std::vector<std::uint32_t> FindDefinitions(
    const System& system,
    const SortProblem& problem,
    const Incidence& incidence);

/// Matches as many equations as possible with an unknown each, chosen among
/// their candidates.
[[nodiscard]] MatchedProblem Match(System& system, SortProblem problem);

/// Reports a singular system: too many equations, or unknowns that nothing
/// determines.
/// @returns true if the matching is perfect.
/// @throws NeedsScalars instead if there are slices.
bool CheckMatched(System& system,
                  const MatchedProblem& matched,
                  Diagnostics& diagnostics);

/// Finds the problem's algebraic loops and single equations, by rows, each
/// after those that it depends on.
[[nodiscard]] Incidence FindComponents(const MatchedProblem& problem);

/// A discrete quantity that a problem takes as known, and the scalar that gets
/// its new value.
struct IteratedScalar {
  std::uint32_t scalar = 0;
  std::uint32_t result = 0;
};

/// Sorted equations and the quantities to be iterated.
struct SortedSystem {
  std::vector<SortedEquation> equations;
  std::vector<IteratedScalar> iterated;
};

/// Sorts the equations so that each follows from those before it, solved for
/// its unknown where possible, as a loop otherwise. Reports loops that have no
/// or infinitely many solutions.
/// @throws NeedsScalars for slices that depend on each other.
[[nodiscard]] std::vector<SortedEquation> Sort(System& system,
                                               const MatchedProblem& matched,
                                               Diagnostics& diagnostics);

/// "x, y and 3 more": the names of the scalars and of their aliases.
[[nodiscard]] std::string ListNames(const System& system,
                                    std::span<const std::uint32_t> scalars);

}  // namespace orrery::compile::internal
