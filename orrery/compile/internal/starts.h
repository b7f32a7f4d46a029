#pragma once

#include <cstdint>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/internal/sort.h"
#include "orrery/compile/internal/system.h"

namespace orrery::internal {

/// The `start` of a scalar, by the name that stands for it: its own, else that
/// of an alias.
struct ScalarStart {
  Expr value;  ///< Empty if none is given.
  bool is_fixed = false;
  StateSelect select = StateSelect::kDefault;  ///< The strongest of its names.
  /// Whether the scalar has this value at the start; else it is a first guess.
  bool holds = false;
};

/// The start values of all scalars and the symbols that stand for them, so that
/// they can be set for a run.
class StartTable {
 public:
  /// Reads what the model gives. Says so if two names of one quantity fix it
  /// differently.
  StartTable(System& system, Diagnostics& diagnostics);

  [[nodiscard]] ScalarStart& operator[](std::uint32_t scalar) {
    return of_scalar_[scalar];
  }

  [[nodiscard]] const ScalarStart& operator[](std::uint32_t scalar) const {
    return of_scalar_[scalar];
  }

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(of_scalar_.size());
  }

  /// The array of the start values of a variable's elements.
  [[nodiscard]] Expr SymbolOf(System& system, std::uint32_t variable);

  /// The start value of `scalar` as a quantity.
  [[nodiscard]] Expr KeyOf(System& system, std::uint32_t scalar);

 private:
  std::vector<ScalarStart> of_scalar_;
  NodeIndex symbols_;  // Their ids, by variable; made when asked for.
};

/// The equations that hold at the start only, sorted: they determine the states
/// and all else from the start values; empty if the states simply start at
/// their start values. Notes in `starts` which of them hold.
[[nodiscard]] SortedSystem SortInitialEquations(System& system,
                                                StartTable& starts,
                                                Diagnostics& diagnostics);

/// What says nothing new about the start.
struct ImpliedStarts {
  std::vector<std::uint32_t> scalars;    ///< Whose starts are fixed.
  std::vector<std::uint32_t> equations;  ///< Initial ones, by `number`.
};

/// Those fixed starts and initial equations that `equations`, of the start,
/// make of other ones, to the same numbers up to rounding whatever the
/// parameters are. At most one for each equation.
[[nodiscard]] ImpliedStarts FindImpliedStarts(
    System& system,
    const StartTable& starts,
    const std::vector<ScalarEquation>& equations);

/// Likewise those that come to the same numbers, to six digits, with the values
/// that parameters have now, when a run starts at the time that the model says.
[[nodiscard]] ImpliedStarts FindAgreeingStarts(
    System& system,
    const StartTable& starts,
    const std::vector<ScalarEquation>& equations);

/// Whether two formulas come to what `FindAgreeingStarts` takes for the same
/// number: a formula.
[[nodiscard]] Expr Agreement(ExprGraph& graph, Expr a, Expr b);

}  // namespace orrery::internal
