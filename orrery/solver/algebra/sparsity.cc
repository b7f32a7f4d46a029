#include "orrery/solver/algebra/sparsity.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "orrery/solver/algebra/band_order.h"

namespace orrery::solver::internal {
namespace {

// Up to this dimension dense LU is faster, whatever the pattern.
constexpr int kSmallDimension = 40;
// So it is above this part of nonzeros.
constexpr double kFull = 0.25;
// A band solver is used if its storage is at most this many times the nonzeros:
// it is simpler, and regular.
constexpr double kBandFill = 4;

// A matching of the columns of a matrix with its rows.
class RowMatching {
 public:
  explicit RowMatching(const SparsityPattern& pattern)
      : pattern_(pattern),
        row_of_(Count(pattern.columns), -1),
        column_of_(Count(pattern.rows), -1),
        visited_(Count(pattern.rows), -1),
        reached_from_(Count(pattern.rows), -1) {}

  void Match(int row, int column) {
    if (column_of_[Count(row)] < 0 && row_of_[Count(column)] < 0) {
      column_of_[Count(row)] = column;
      row_of_[Count(column)] = row;
    }
  }

  // Matches the remaining columns along alternating paths, found breadth first.
  void Complete() {
    for (int column = 0; column < pattern_.columns; ++column) {
      if (row_of_[Count(column)] < 0) {
        Augment(column);
      }
    }
    int column = 0;
    for (int& place : column_of_) {
      if (place >= 0) {
        continue;
      }
      while (row_of_[Count(column)] >= 0) {
        ++column;
      }
      place = column++;
    }
  }

  [[nodiscard]] std::vector<int> TakePlaces() { return std::move(column_of_); }

 private:
  static std::size_t Count(int index) {
    return static_cast<std::size_t>(index);
  }

  void Augment(int start) {
    queue_.assign(1, start);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const std::size_t column = Count(queue_[i]);
      const auto end = Count(pattern_.column_starts[column + 1]);
      for (auto k = Count(pattern_.column_starts[column]); k < end; ++k) {
        const int row = pattern_.row_indices[k];
        if (visited_[Count(row)] == start) {
          continue;
        }
        visited_[Count(row)] = start;
        reached_from_[Count(row)] = queue_[i];
        if (column_of_[Count(row)] < 0) {
          Flip(row, start);
          return;
        }
        queue_.push_back(column_of_[Count(row)]);
      }
    }
  }

  // Flips the matching along the path that ends at `row`.
  void Flip(int row, int start) {
    for (;;) {
      const int column = reached_from_[Count(row)];
      const int before = row_of_[Count(column)];
      column_of_[Count(row)] = column;
      row_of_[Count(column)] = row;
      if (column == start) {
        return;
      }
      row = before;
    }
  }

  const SparsityPattern& pattern_;
  std::vector<int> row_of_;        // By column; -1: none.
  std::vector<int> column_of_;     // By row.
  std::vector<int> visited_;       // By row: the last search that met it.
  std::vector<int> reached_from_;  // By row: the column before it.
  std::vector<int> queue_;
};

bool IsDiagonal(const SparsityPattern& pattern) {
  const Bandwidths band = BandwidthsOf(pattern);
  return band.lower == 0 && band.upper == 0;
}

}  // namespace

std::vector<int> AlignRows(const SparsityPattern& pattern,
                           std::span<const double> values) {
  const auto n = static_cast<std::size_t>(pattern.columns);
  std::vector<double> row_sizes(n);
  std::vector<double> column_sizes(n);
  std::vector<int> columns(values.size());
  ForEachElement(
      &pattern, n, [&](std::size_t k, std::size_t row, std::size_t column) {
        const double size = std::abs(values[k]);
        row_sizes[row] = std::max(row_sizes[row], size);
        column_sizes[column] = std::max(column_sizes[column], size);
        columns[k] = static_cast<int>(column);
      });
  std::vector<double> weights(values.size());
  ForEachElement(
      &pattern, n, [&](std::size_t k, std::size_t row, std::size_t column) {
        const double size = std::abs(values[k]);
        weights[k] =
            size == 0 ? 0
                      : (size / row_sizes[row]) * (size / column_sizes[column]);
      });
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, std::ranges::greater{}, [&](std::size_t k) { return weights[k]; });
  RowMatching matching(pattern);
  for (const std::size_t k : order) {
    if (weights[k] > 0) {
      matching.Match(pattern.row_indices[k], columns[k]);
    }
  }
  matching.Complete();
  return matching.TakePlaces();
}

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

bool IsSmallOrFull(const SparsityPattern& pattern) {
  const auto n = static_cast<double>(pattern.columns);
  return pattern.columns <= kSmallDimension ||
         pattern.nonzeros() > kFull * n * n;
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
  if (IsDiagonal(*pattern)) {
    return LinearSolverKind::kBand;
  }
  if (IsSmallOrFull(*pattern)) {
    return LinearSolverKind::kDense;
  }
  const Bandwidths band = OrderForBand(*pattern).band;
  const double storage =
      static_cast<double>(dimension) * (2.0 * band.lower + band.upper + 1);
  return storage <= kBandFill * pattern->nonzeros() ? LinearSolverKind::kBand
                                                    : LinearSolverKind::kSparse;
}

}  // namespace orrery::solver::internal
