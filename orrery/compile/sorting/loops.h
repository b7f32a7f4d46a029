#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/solve.h"
#include "orrery/compile/system/system.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// Solves one strong component: by itself, by Cramer's rule, or torn.
class ComponentSolver {
 public:
  /// @param is_of_start as in `SortProblem`.
  ComponentSolver(System& system, bool is_of_start, Diagnostics& diagnostics)
      : system_(system),
        solver_(system),
        is_of_start_(is_of_start),
        diagnostics_(diagnostics) {}

  /// Appends the component's explicit equations or its loop to `sorted`. Adds
  /// determinants that depend on parameters to `System::parameter_loops`.
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
  const std::vector<bool>& GivenStarts();
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
  std::vector<bool> given_starts_;  // By scalar; empty until it is needed.
};

}  // namespace orrery::compile::internal
