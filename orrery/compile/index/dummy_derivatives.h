#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "orrery/compile/index/differentiations.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Chooses the unknowns of equations that are differentiated: each determines a
/// quantity in it, which is no state any more (a dummy derivative), and each
/// derivative of the equation the derivative of that quantity. The quantity
/// must have a constant factor, so that the equation can be solved for it at
/// all times.
/// Source: Mattsson and Soderlind, SIAM J. Sci. Comput. 14 (1993) 677-692.
class DummyDerivatives {
 public:
  /// @param found refers to what must outlive this.
  DummyDerivatives(System& system,
                   const StartTable& starts,
                   const Differentiations& found);

  /// The differentiated equations, by line, that cannot be differentiated:
  /// nobody knows how the signals in them go on.
  [[nodiscard]] std::vector<std::uint32_t> Refused() const;

  /// Chooses a quantity for each equation.
  /// @returns false if that is not possible.
  [[nodiscard]] bool ChooseAll();

  /// Likewise, but if an equation cannot determine any of its states, these
  /// stay states, and the equation is a constraint.
  /// @returns false if that is not possible.
  /// @throws Retry if it would be with variables for derivatives.
  [[nodiscard]] bool ChooseSome();

  /// True if a line determines the node, which has a derivative.
  [[nodiscard]] bool IsDummy(std::uint32_t node) const {
    return line_of_dummy_[node] != kNone;
  }

  /// True if the equation of a line is a constraint.
  [[nodiscard]] bool IsConstraint(std::uint32_t line) const {
    return !is_constraint_.empty() && is_constraint_[line];
  }

 private:
  // An equation that is differentiated.
  struct Bound {
    std::uint32_t line = 0;
    std::vector<std::uint32_t> candidates;  // Nodes with a constant factor.
    bool can_be_differentiated = true;
  };

  using Order = void (DummyDerivatives::*)(Bound&) const;

  [[nodiscard]] const ScalarEquation& EquationOf(std::uint32_t line) const {
    return system_.equations[lines_[line].equation];
  }

  void ForbidReinitialised();
  void FindBound();
  [[nodiscard]] bool ChooseAll(Order order);
  void AskForRates() const;
  void ByStarts(Bound& bound) const;
  void AsMatched(Bound& bound) const;
  [[nodiscard]] std::tuple<StateSelect, bool, bool, bool, bool> RankOf(
      std::uint32_t node, const ScalarEquation& equation) const;
  [[nodiscard]] bool HasConstantFactor(std::uint32_t node,
                                       const ScalarEquation& equation);
  [[nodiscard]] bool Take(std::uint32_t line, std::uint32_t node);
  [[nodiscard]] bool IsFree(std::uint32_t node) const;
  [[nodiscard]] bool ReachesBack(std::uint32_t line, std::uint32_t node);
  [[nodiscard]] bool AreOthersStates() const;
  [[nodiscard]] bool IsStateOrNone(std::uint32_t node) const;

  System& system_;
  const StartTable& starts_;
  const std::vector<DerivativeNode>& nodes_;
  const std::vector<DerivativeLine>& lines_;
  std::vector<std::uint32_t> reinitialised_;  // Scalars.
  std::vector<Bound> bound_;
  std::vector<std::uint32_t> line_of_dummy_;  // By node: the line that
                                              // determines it; kNone: a state.
  std::vector<bool> is_constraint_;  // By line: its states stay; may be empty.
  std::vector<std::uint32_t> searched_;  // By line: the last search there.
  std::uint32_t search_ = 0;
};

}  // namespace orrery::compile::internal
