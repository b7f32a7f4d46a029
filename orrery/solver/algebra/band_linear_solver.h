#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/solver/algebra/band_order.h"
#include "orrery/solver/problem/ode.h"

namespace orrery::solver::internal {

/// Solves A x = b for a square A that is a band in some order of its rows and
/// columns, by LU factors with partial pivoting. After construction it
/// allocates nothing, and no result depends on earlier matrices. For one thread
/// at a time.
/// Source: Golub and Van Loan, Matrix Computations, 4th ed., section 4.3.
///
///     fill solver.values(); if (solver.Factor()) solver.Solve(b);
class BandLinearSolver {
 public:
  /// Neither argument is needed after construction.
  BandLinearSolver(const SparsityPattern& pattern, const BandOrder& order);

  /// The elements of A in the pattern's order; the caller fills them.
  [[nodiscard]] std::span<double> values() noexcept { return values_; }

  /// Factors `values`.
  /// @returns true if A is regular. Else Solve must not be called.
  [[nodiscard]] bool Factor();

  /// Replaces `b` by the solution. Requires a Factor that returned true.
  void Solve(std::span<double> b);

 private:
  [[nodiscard]] double* DiagonalOf(std::size_t column) noexcept {
    return band_.data() + (column + reach_) * height_ + reach_;
  }

  // Distance of the factor U's last diagonal from the main diagonal.
  [[nodiscard]] std::size_t UpperReach() const noexcept {
    return has_swaps_ ? reach_ : upper_;
  }

  void Eliminate(double* column, std::size_t columns) const;
  void ScaleUpper();
  void SubstituteWithSwaps(std::span<double> x);

  std::size_t n_;
  std::size_t lower_;  // Reach of L below the diagonal.
  std::size_t upper_;  // Reach of U above it without row swaps.
  std::size_t reach_;  // Greatest reach of U.
  std::size_t height_;
  std::vector<double> values_;
  std::vector<std::size_t> positions_;  // Positions of the values in band_.
  std::vector<std::size_t> places_;
  // P A = L D U with units on the diagonals of L and U, by columns of height_:
  // U, D, L. Zeros on both sides let every loop run to its end.
  std::vector<double> band_;
  std::vector<std::size_t> swaps_;  // Row k is swapped with row k + swaps_[k].
  bool has_swaps_ = false;
  std::vector<double> x_;  // Zeros on both sides, too.
};

}  // namespace orrery::solver::internal
