#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"

namespace orrery::internal {

/// A square pattern to which the whole diagonal was added.
struct DiagonalPattern {
  explicit DiagonalPattern(const SparsityPattern& source);

  SparsityPattern pattern;
  std::vector<std::size_t> places;     ///< Where the old elements went.
  std::vector<std::size_t> diagonals;  ///< Where those of the diagonal stand.
};

/// The bandwidths of a pattern: rows j - upper to j + lower of column j.
struct Bandwidths {
  int lower = 0;
  int upper = 0;
};

[[nodiscard]] Bandwidths BandwidthsOf(const SparsityPattern& pattern);

/// Places for the rows of a square matrix such that elements which are large
/// for their rows and columns stand on its diagonal: the largest first, as long
/// as row and column are free, then whatever completes the diagonal. A row for
/// which there is nothing left takes any place.
/// @param values of the elements, in the pattern's order.
/// @returns by row, its place. Source: Duff and Koster, SIAM J. Matrix Anal.
///     Appl. 22 (2001) 973-996, whose matching is the best one; this is greedy.
[[nodiscard]] std::vector<int> AlignRows(const SparsityPattern& pattern,
                                         std::span<const double> values);

/// Calls `visit(k, row, column)` for each element k of a square matrix of
/// dimension `n`, in the order of its values: of `pattern`; if that is null, of
/// all by columns.
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

/// How many times the work of a solution it is to factor a square matrix with
/// `pattern` and the diagonal by KLU: an estimate, for pivots on the diagonal.
/// A full matrix of dimension n takes n / 3.
[[nodiscard]] double WorkOfFactors(const SparsityPattern& pattern);

/// Whether dense factors of a matrix take no longer than sparse ones.
[[nodiscard]] bool IsSmallOrFull(const SparsityPattern& pattern);

/// kDense, kBand or kSparse: what `wanted` comes down to for a matrix with
/// `pattern` (null: full).
[[nodiscard]] LinearSolverKind ChooseLinearSolver(
    int dimension, const SparsityPattern* pattern, LinearSolverKind wanted);

}  // namespace orrery::internal
