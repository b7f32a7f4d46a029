#include "orrery/solver/steps/column_differences.h"

#include "orrery/solver/algebra/coloring.h"

namespace orrery::solver::internal {

ColumnDifferences::ColumnDifferences(int dimension,
                                     const SparsityPattern* pattern,
                                     const Tolerances& tolerances)
    : pattern_(pattern),
      point_(static_cast<std::size_t>(dimension)),
      moved_(point_.size()) {
  if (pattern != nullptr) {
    groups_ = ColorColumns(*pattern);
  } else {
    for (int column = 0; column < dimension; ++column) {
      groups_.push_back({column});
    }
  }
  for (const double absolute : tolerances.absolute()) {
    floors_.push_back(absolute / tolerances.relative());
  }
}

void ColumnDifferences::Fill(std::size_t column,
                             double increment,
                             std::span<const double> value,
                             std::span<double> values) const {
  if (pattern_ == nullptr) {
    const std::size_t n = value.size();
    for (std::size_t i = 0; i < n; ++i) {
      values[column * n + i] = (moved_[i] - value[i]) / increment;
    }
    return;
  }
  const auto end =
      static_cast<std::size_t>(pattern_->column_starts[column + 1]);
  for (auto k = static_cast<std::size_t>(pattern_->column_starts[column]);
       k < end;
       ++k) {
    const auto i = static_cast<std::size_t>(pattern_->row_indices[k]);
    values[k] = (moved_[i] - value[i]) / increment;
  }
}

}  // namespace orrery::solver::internal
