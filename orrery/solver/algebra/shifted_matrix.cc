#include "orrery/solver/algebra/shifted_matrix.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace orrery::solver::internal {

ShiftedMatrix::ShiftedMatrix(int dimension,
                             const SparsityPattern* pattern,
                             LinearSolverKind kind)
    : kind_(ChooseLinearSolver(dimension, pattern, kind)) {
  if (kind_ == LinearSolverKind::kDense) {
    const auto n = static_cast<std::size_t>(dimension);
    general_.emplace(dimension, nullptr);
    ForEachElement(
        pattern, n, [&](std::size_t, std::size_t row, std::size_t column) {
          places_.push_back(column * n + row);
        });
    for (std::size_t j = 0; j < n; ++j) {
      diagonals_.push_back(j * (n + 1));
    }
    return;
  }
  DiagonalPattern full(*pattern);
  places_ = std::move(full.places);
  diagonals_ = std::move(full.diagonals);
  if (kind_ == LinearSolverKind::kBand) {
    band_.emplace(full.pattern, OrderForBand(full.pattern));
  } else {
    general_.emplace(dimension, &full.pattern, kind_);
  }
}

bool ShiftedMatrix::Factor(double shift, std::span<const double> jacobian) {
  const std::span<double> values = band_ ? band_->values() : general_->values();
  std::ranges::fill(values, 0.0);
  for (std::size_t k = 0; k < jacobian.size(); ++k) {
    values[places_[k]] = -jacobian[k];
  }
  for (const std::size_t place : diagonals_) {
    values[place] += shift;
  }
  return band_ ? band_->Factor() : general_->Factor();
}

void ShiftedMatrix::Solve(std::span<double> b) {
  if (band_) {
    band_->Solve(b);
  } else {
    general_->Solve(b);
  }
}

}  // namespace orrery::solver::internal
