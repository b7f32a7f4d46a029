#include "orrery/solver/internal/shifted_matrix.h"

#include <klu.h>

#include <algorithm>
#include <cstddef>

#include "orrery/base/error.h"
#include "orrery/solver/internal/sparsity.h"

namespace orrery::internal {
namespace {

// A refactorization that keeps the old pivots must not lose more than this to
// the growth of elements.
constexpr double kLeastGrowth = 1e-6;

}  // namespace

// KLU's objects and the matrix.
struct ShiftedMatrix::Sparse {
  Sparse(int dimension, const SparsityPattern& pattern);

  ~Sparse() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }

  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  bool Factor(double shift, std::span<const double> jacobian);

  DiagonalPattern matrix;  // J's pattern with the whole diagonal.
  std::vector<double> values;
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

ShiftedMatrix::Sparse::Sparse(int dimension, const SparsityPattern& pattern)
    : matrix(pattern), values(matrix.pattern.row_indices.size()) {
  klu_defaults(&common);
  symbolic = klu_analyze(dimension,
                         matrix.pattern.column_starts.data(),
                         matrix.pattern.row_indices.data(),
                         &common);
  ORRERY_CHECK(symbolic != nullptr || common.status == KLU_SINGULAR);
}

bool ShiftedMatrix::Sparse::Factor(double shift,
                                   std::span<const double> jacobian) {
  int* const starts = matrix.pattern.column_starts.data();
  int* const rows = matrix.pattern.row_indices.data();
  std::ranges::fill(values, 0.0);
  for (std::size_t k = 0; k < matrix.places.size(); ++k) {
    values[matrix.places[k]] = -jacobian[k];
  }
  for (const std::size_t place : matrix.diagonals) {
    values[place] += shift;
  }
  if (numeric != nullptr) {
    const int refactored =
        klu_refactor(starts, rows, values.data(), symbolic, numeric, &common);
    if (refactored != 0 && common.status == KLU_OK &&
        klu_rgrowth(starts, rows, values.data(), symbolic, numeric, &common) !=
            0 &&
        common.rgrowth > kLeastGrowth) {
      return true;
    }
    klu_free_numeric(&numeric, &common);
  }
  numeric = klu_factor(starts, rows, values.data(), symbolic, &common);
  return numeric != nullptr && common.status == KLU_OK;
}

ShiftedMatrix::ShiftedMatrix(int dimension,
                             const SparsityPattern* pattern,
                             LinearSolverKind kind)
    : dimension_(dimension), pattern_(pattern) {
  if (ChooseLinearSolver(dimension, pattern, kind) !=
      LinearSolverKind::kDense) {
    sparse_ = std::make_unique<Sparse>(dimension, *pattern);
  } else {
    dense_ = std::make_unique<DenseLinearSolver>(dimension);
  }
}

ShiftedMatrix::~ShiftedMatrix() = default;

void ShiftedMatrix::FillDense(double shift, std::span<const double> jacobian) {
  const auto n = static_cast<std::size_t>(dimension_);
  const std::span<double> matrix = dense_->matrix();
  if (pattern_ == nullptr) {
    for (std::size_t k = 0; k < matrix.size(); ++k) {
      matrix[k] = -jacobian[k];
    }
  } else {
    std::ranges::fill(matrix, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      const auto end = static_cast<std::size_t>(pattern_->column_starts[j + 1]);
      for (auto k = static_cast<std::size_t>(pattern_->column_starts[j]);
           k < end;
           ++k) {
        matrix[j * n + static_cast<std::size_t>(pattern_->row_indices[k])] =
            -jacobian[k];
      }
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    matrix[j * n + j] += shift;
  }
}

bool ShiftedMatrix::Factor(double shift, std::span<const double> jacobian) {
  if (sparse_ != nullptr) {
    return sparse_->Factor(shift, jacobian);
  }
  FillDense(shift, jacobian);
  return dense_->Factor();
}

void ShiftedMatrix::Solve(std::span<double> b) {
  if (dense_ != nullptr) {
    dense_->Solve(b);
    return;
  }
  klu_solve(sparse_->symbolic,
            sparse_->numeric,
            dimension_,
            1,
            b.data(),
            &sparse_->common);
}

}  // namespace orrery::internal
