#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/solver/algebra/band_linear_solver.h"
#include "orrery/solver/algebra/linear_solver.h"
#include "orrery/solver/algebra/sparsity.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"

namespace orrery::solver::internal {

/// Solves (shift I - J) x = b for implicit one-step methods.
class ShiftedMatrix {
 public:
  /// @param pattern of J; null: full.
  ShiftedMatrix(int dimension,
                const SparsityPattern* pattern,
                LinearSolverKind kind);

  /// @param jacobian the values of J, in the pattern's order; by columns
  ///     without a pattern.
  /// @returns false if the matrix is singular; Solve must not be called then.
  [[nodiscard]] bool Factor(double shift, std::span<const double> jacobian);

  /// Writes or reads what earlier matrices leave for the next one.
  void Transfer(StateStream& stream) {
    if (general_) {
      general_->Transfer(stream);
    }
  }

  /// Replaces `b` by the solution.
  void Solve(std::span<double> b);

  /// kDense, kBand or kSparse.
  [[nodiscard]] LinearSolverKind kind() const noexcept { return kind_; }

 private:
  LinearSolverKind kind_;
  std::optional<BandLinearSolver> band_;  // One of these two exists.
  std::optional<LinearSolver> general_;
  std::vector<std::size_t> places_;     // In the matrix: the values of J,
  std::vector<std::size_t> diagonals_;  // and its diagonal.
};

}  // namespace orrery::solver::internal
