#include "orrery/sim/internal/loop_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::internal {
namespace {

// The power of two next below |x|; 1 where there is none.
double PowerOfTwo(double x) {
  if (x == 0 || !std::isfinite(x)) {
    return 1;
  }
  return std::ldexp(1, std::ilogb(x));
}

}  // namespace

LoopMatrix::LoopMatrix(const ResidualBlock& block)
    : block_(block),
      solver_(static_cast<int>(block.unknown_slots.size())),
      row_scale_(block.unknown_slots.size()) {
  column_scale_.reserve(block.nominal.size());
  for (const double nominal : block.nominal) {
    column_scale_.push_back(PowerOfTwo(nominal));
  }
}

bool LoopMatrix::Factor(const double* memory) {
  const std::size_t n = row_scale_.size();
  std::ranges::fill(row_scale_, 0.0);
  for (std::size_t k = 0; k < block_.entry_slots.size(); ++k) {
    const double entry =
        memory[block_.entry_slots[k]] * column_scale_[block_.entry_columns[k]];
    double& largest = row_scale_[block_.entry_rows[k]];
    largest = std::max(largest, std::abs(entry));
  }
  for (double& scale : row_scale_) {
    scale = 1 / PowerOfTwo(scale);
  }
  const std::span<double> matrix = solver_.matrix();
  std::ranges::fill(matrix, 0.0);
  for (std::size_t k = 0; k < block_.entry_slots.size(); ++k) {
    const std::uint32_t row = block_.entry_rows[k];
    const std::uint32_t column = block_.entry_columns[k];
    matrix[column * n + row] +=
        memory[block_.entry_slots[k]] * column_scale_[column] * row_scale_[row];
  }
  return solver_.Factor(4 * static_cast<double>(n) *
                        std::numeric_limits<double>::epsilon());
}

void LoopMatrix::Solve(std::span<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] *= row_scale_[i];
  }
  solver_.Solve(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] *= column_scale_[i];
  }
}

}  // namespace orrery::internal
