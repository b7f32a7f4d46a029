#pragma once

#include <cstdint>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/internal/sort.h"
#include "orrery/compile/internal/system.h"

namespace orrery::internal {

/// The `start` of a scalar that is no alias: its own, else that of an alias.
struct ScalarStart {
  Expr value;  ///< Empty if none is given.
  bool is_fixed = false;
  StateSelect select = StateSelect::kDefault;  ///< The strongest of its names.
  /// True if the scalar has this value at the start; else it is a first guess.
  bool holds = false;
};

/// The start values of all scalars and the symbols that stand for them. A run
/// can set these symbols.
class StartTable {
 public:
  /// Reads the model's start values. Reports two names of one quantity that fix
  /// it differently.
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

  /// Returns the array of the start values of a variable's elements.
  [[nodiscard]] Expr SymbolOf(System& system, std::uint32_t variable);

  /// Returns the start value of `scalar` as a quantity.
  [[nodiscard]] Expr KeyOf(System& system, std::uint32_t scalar);

 private:
  std::vector<ScalarStart> of_scalar_;
  NodeIndex symbols_;  // Their ids, by variable; made when asked for.
};

/// Sorts the equations that hold at the start only. They determine the states
/// and all else from the start values. The result is empty if all states start
/// at their start values. Sets `ScalarStart::holds` in `starts`.
[[nodiscard]] SortedSystem SortInitialEquations(System& system,
                                                StartTable& starts,
                                                Diagnostics& diagnostics);

/// Redundant conditions on the start.
struct ImpliedStarts {
  std::vector<std::uint32_t> scalars;    ///< Their fixed starts are redundant.
  std::vector<std::uint32_t> equations;  ///< Initial ones, by `number`.
};

/// Finds the fixed starts and initial equations that follow from other ones by
/// `equations`, those of the start, up to rounding and whatever the parameters
/// are. At most one for each equation.
[[nodiscard]] ImpliedStarts FindImpliedStarts(
    System& system,
    const StartTable& starts,
    const std::vector<ScalarEquation>& equations);

/// Likewise with the present values of parameters and the model's start time;
/// the numbers need to agree to six digits.
[[nodiscard]] ImpliedStarts FindAgreeingStarts(
    System& system,
    const StartTable& starts,
    const std::vector<ScalarEquation>& equations);

/// Returns the formula that is true if `a` and `b` are the same number for
/// `FindAgreeingStarts`.
[[nodiscard]] Expr Agreement(ExprGraph& graph, Expr a, Expr b);

}  // namespace orrery::internal
