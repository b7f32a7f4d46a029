#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"

namespace orrery::solver::internal {

/// A square pattern completed by its whole diagonal.
struct DiagonalPattern {
  explicit DiagonalPattern(const SparsityPattern& source);

  SparsityPattern pattern;
  std::vector<std::size_t> places;     ///< New positions of the old elements.
  std::vector<std::size_t> diagonals;  ///< Positions of the diagonal.
};

/// The bandwidths of a pattern: rows j - upper to j + lower of column j.
struct Bandwidths {
  int lower = 0;
  int upper = 0;
};

[[nodiscard]] Bandwidths BandwidthsOf(const SparsityPattern& pattern);

/// Finds places for the rows of a square matrix such that its diagonal has
/// elements that are large for their rows and columns. Takes the largest
/// elements first, as long as row and column are free, then any elements that
/// complete the diagonal. A row without a match takes any place.
/// @param values of the elements, in the pattern's order.
/// @returns the place of each row. Source: Duff and Koster, SIAM J. Matrix
///     Anal. Appl. 22 (2001) 973-996, whose matching is the best one; this is
///     greedy.
[[nodiscard]] std::vector<int> AlignRows(const SparsityPattern& pattern,
                                         std::span<const double> values);

/// Calls `visit(k, row, column)` for each element k of a square matrix of
/// dimension `n`, in the order of its values: elements of `pattern`, or all by
/// columns if it is null.
template <typename Visitor>
void ForEachElement(const SparsityPattern* pattern,
                    std::size_t n,
                    Visitor visit) {
  std::size_t k = 0;
  for (std::size_t column = 0; column < n; ++column) {
    if (pattern == nullptr) {
      for (std::size_t row = 0; row < n; ++row, ++k) {
        visit(k, row, column);
      }
      continue;
    }
    const auto end =
        static_cast<std::size_t>(pattern->column_starts[column + 1]);
    for (; k < end; ++k) {
      visit(k, static_cast<std::size_t>(pattern->row_indices[k]), column);
    }
  }
}

/// Estimates the work of factoring a square matrix with `pattern` and the
/// diagonal by KLU with pivots on the diagonal, in units of one solution. A
/// full matrix of dimension n takes n / 3.
[[nodiscard]] double WorkOfFactors(const SparsityPattern& pattern);

/// True if dense factors of a matrix take no longer than sparse ones.
[[nodiscard]] bool IsSmallOrFull(const SparsityPattern& pattern);

/// Returns kDense, kBand or kSparse: the solver that `wanted` means for a
/// matrix with `pattern` (null: full).
[[nodiscard]] LinearSolverKind ChooseLinearSolver(
    int dimension, const SparsityPattern* pattern, LinearSolverKind wanted);

}  // namespace orrery::solver::internal
