#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Makes the numbers unique and ascending.
void SortOut(std::vector<std::uint32_t>& numbers);

/// A quantity, or a derivative of one.
struct DerivativeNode {
  std::uint32_t scalar = kNone;      ///< kNone: still to be made.
  std::uint32_t derivative = kNone;  ///< The node of its derivative.
  int sign = 1;                      ///< Sign of the derivative.
  std::uint32_t line = kNone;        ///< The line that determines it.
};

/// An equation, or a derivative of one.
struct DerivativeLine {
  std::uint32_t equation = kNone;  ///< Into `System::equations`, or kNone.
  std::vector<std::uint32_t> nodes;
  std::uint32_t derivative = kNone;  ///< The line of its derivative.
  std::uint32_t node = kNone;        ///< The node that it determines.

  /// True for an equation of the problem that is differentiated.
  [[nodiscard]] bool is_bound() const noexcept {
    return equation != kNone && derivative != kNone;
  }
};

/// Finds how often each equation has to be differentiated until it determines
/// the highest derivative of a quantity. Uses the structure only, not the
/// formulas.
/// Source: Pantelides, SIAM J. Sci. Stat. Comput. 9 (1988) 213-231.
class Differentiations {
 public:
  /// @param problem the equations of `system`, and their unknowns.
  Differentiations(System& system, const SortProblem& problem)
      : system_(system), problem_(problem) {}

  /// Counts a scalar without a derivative as differentiated. Before `Find`.
  void Differentiate(std::uint32_t scalar) {
    differentiated_.push_back(scalar);
  }

  /// Called once.
  /// @returns false if no number of differentiations is enough.
  [[nodiscard]] bool Find();

  /// The equations that are differentiated.
  [[nodiscard]] std::vector<std::uint32_t> Equations() const;

  /// The node of a scalar, or kNone.
  [[nodiscard]] std::uint32_t NodeAt(std::uint32_t scalar) const {
    return node_of_[scalar];
  }

  /// The lines that the last search for a node met: after a `Find` that
  /// returned false, those that are one too many.
  [[nodiscard]] std::span<const std::uint32_t> met_lines() const noexcept {
    return met_lines_;
  }

  std::vector<DerivativeNode> nodes;
  std::vector<DerivativeLine> lines;

 private:
  std::uint32_t NodeOf(std::uint32_t scalar);
  void MakeNodes();
  void MakeLines();
  void AddStates(const ScalarEquation& equation, DerivativeLine& line);
  bool Match(std::uint32_t line);
  void Shift(std::uint32_t node, std::uint32_t first);
  void ForgetPath();
  bool DifferentiateMet();

  System& system_;
  const SortProblem& problem_;
  std::vector<std::uint32_t> differentiated_;
  std::vector<std::uint32_t> node_of_;  // By scalar.
  // State of the last search.
  std::vector<std::uint32_t> met_lines_;
  std::vector<std::uint32_t> met_nodes_;
  std::vector<std::uint32_t> from_;  // By node.
};

}  // namespace orrery::compile::internal
