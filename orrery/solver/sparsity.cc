#include "orrery/solver/internal/sparsity.h"

#include <algorithm>

namespace orrery::internal {
namespace {

// Up to this dimension dense LU wins, whatever the pattern.
constexpr int kSmallDimension = 40;
// Above this part of nonzeros too.
constexpr double kFull = 0.25;
// A band solver is taken where its storage is at most this many times the
// nonzeros: it is simpler, and regular.
constexpr double kBandFill = 4;

}  // namespace

DiagonalPattern::DiagonalPattern(const SparsityPattern& source) {
  pattern.rows = source.rows;
  pattern.columns = source.columns;
  pattern.column_starts = {0};
  places.resize(source.row_indices.size());
  for (int j = 0; j < source.columns; ++j) {
    const auto column = static_cast<std::size_t>(j);
    bool has_diagonal = false;
    const auto add_diagonal = [&] {
      has_diagonal = true;
      diagonals.push_back(pattern.row_indices.size());
      pattern.row_indices.push_back(j);
    };
    const auto end = static_cast<std::size_t>(source.column_starts[column + 1]);
    for (auto k = static_cast<std::size_t>(source.column_starts[column]);
         k < end;
         ++k) {
      const int row = source.row_indices[k];
      if (row > j && !has_diagonal) {
        add_diagonal();
      }
      places[k] = pattern.row_indices.size();
      if (row == j) {
        add_diagonal();
      } else {
        pattern.row_indices.push_back(row);
      }
    }
    if (!has_diagonal) {
      add_diagonal();
    }
    pattern.column_starts.push_back(pattern.nonzeros());
  }
}

Bandwidths BandwidthsOf(const SparsityPattern& pattern) {
  Bandwidths result;
  for (int j = 0; j < pattern.columns; ++j) {
    const auto column = static_cast<std::size_t>(j);
    const auto end =
        static_cast<std::size_t>(pattern.column_starts[column + 1]);
    for (auto k = static_cast<std::size_t>(pattern.column_starts[column]);
         k < end;
         ++k) {
      result.lower = std::max(result.lower, pattern.row_indices[k] - j);
      result.upper = std::max(result.upper, j - pattern.row_indices[k]);
    }
  }
  return result;
}

LinearSolverKind ChooseLinearSolver(int dimension,
                                    const SparsityPattern* pattern,
                                    LinearSolverKind wanted) {
  if (pattern == nullptr) {
    return LinearSolverKind::kDense;
  }
  if (wanted != LinearSolverKind::kAutomatic) {
    return wanted;
  }
  const double elements =
      static_cast<double>(dimension) * static_cast<double>(dimension);
  if (dimension <= kSmallDimension || pattern->nonzeros() > kFull * elements) {
    return LinearSolverKind::kDense;
  }
  const Bandwidths band = BandwidthsOf(*pattern);
  const double storage =
      static_cast<double>(dimension) * (2.0 * band.lower + band.upper + 1);
  return storage <= kBandFill * pattern->nonzeros() ? LinearSolverKind::kBand
                                                    : LinearSolverKind::kSparse;
}

}  // namespace orrery::internal
