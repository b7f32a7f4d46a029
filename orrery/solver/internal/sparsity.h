#pragma once

#include <cstddef>
#include <vector>

#include "orrery/solver/ode.h"
#include "orrery/solver/options.h"

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

/// kDense, kBand or kSparse: what `wanted` comes down to for a matrix with
/// `pattern` (null: full).
[[nodiscard]] LinearSolverKind ChooseLinearSolver(
    int dimension, const SparsityPattern* pattern, LinearSolverKind wanted);

}  // namespace orrery::internal
