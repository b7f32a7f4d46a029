#pragma once

#include <vector>

namespace orrery {

/// The possible nonzeros of a sparse matrix, as compressed sparse columns.
/// Column j has the rows
/// `row_indices[column_starts[j] .. column_starts[j + 1])`, ascending. Its
/// values have the same order.
struct SparsityPattern {
  int rows = 0;
  int columns = 0;
  std::vector<int> column_starts;  ///< columns + 1 entries, the first 0.
  std::vector<int> row_indices;

  [[nodiscard]] int nonzeros() const noexcept {
    return static_cast<int>(row_indices.size());
  }

  friend bool operator==(const SparsityPattern&,
                         const SparsityPattern&) = default;
};

}  // namespace orrery
