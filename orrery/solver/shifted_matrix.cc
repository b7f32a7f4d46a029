#include "orrery/solver/internal/shifted_matrix.h"

#include <algorithm>
#include <cstddef>

namespace orrery::internal {

ShiftedMatrix::ShiftedMatrix(int dimension,
                             const SparsityPattern* pattern,
                             LinearSolverKind kind)
    : kind_(ChooseLinearSolver(dimension, pattern, kind)),
      diagonal_(pattern != nullptr
                    ? std::make_optional<DiagonalPattern>(*pattern)
                    : std::nullopt),
      dimension_(static_cast<std::size_t>(dimension)) {
  const SparsityPattern* const full = diagonal_ ? &diagonal_->pattern : nullptr;
  if (kind_ == LinearSolverKind::kBand) {
    band_.emplace(*full, OrderForBand(*full));
  } else {
    general_.emplace(dimension, full, kind_);
  }
}

bool ShiftedMatrix::Factor(double shift, std::span<const double> jacobian) {
  const std::span<double> values = band_ ? band_->values() : general_->values();
  if (diagonal_) {
    std::ranges::fill(values, 0.0);
    for (std::size_t k = 0; k < jacobian.size(); ++k) {
      values[diagonal_->places[k]] = -jacobian[k];
    }
    for (const std::size_t place : diagonal_->diagonals) {
      values[place] += shift;
    }
  } else {
    for (std::size_t k = 0; k < jacobian.size(); ++k) {
      values[k] = -jacobian[k];
    }
    for (std::size_t j = 0; j < dimension_; ++j) {
      values[j * (dimension_ + 1)] += shift;
    }
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

}  // namespace orrery::internal
