#include "orrery/solver/shifted_matrix.h"

#include <klu.h>

#include <algorithm>
#include <cstddef>

#include "orrery/base/error.h"

namespace orrery::internal {
namespace {

// Below this dimension dense LU wins, whatever the pattern.
constexpr int kSmallDimension = 40;
// Above this part of nonzeros too.
constexpr double kFull = 0.25;
// A refactorization that keeps the old pivots must not lose more than this to
// the growth of elements.
constexpr double kLeastGrowth = 1e-6;

bool PrefersSparse(int dimension,
                   const SparsityPattern* pattern,
                   LinearSolverKind kind) {
  if (pattern == nullptr || kind == LinearSolverKind::kDense) {
    return false;
  }
  if (kind != LinearSolverKind::kAutomatic) {
    return true;
  }
  const double elements =
      static_cast<double>(dimension) * static_cast<double>(dimension);
  return dimension > kSmallDimension && pattern->nonzeros() < kFull * elements;
}

}  // namespace

// KLU's objects and the matrix: J's pattern with the whole diagonal.
struct ShiftedMatrix::Sparse {
  Sparse(int dimension, const SparsityPattern& pattern);

  ~Sparse() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }

  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  bool Factor(double shift, std::span<const double> jacobian);

  std::vector<int> starts;
  std::vector<int> rows;
  std::vector<double> values;
  std::vector<std::size_t> places;     // Of J's values.
  std::vector<std::size_t> diagonals;  // Of the diagonal.
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

ShiftedMatrix::Sparse::Sparse(int dimension, const SparsityPattern& pattern)
    : starts({0}) {
  places.resize(pattern.row_indices.size());
  for (int j = 0; j < dimension; ++j) {
    const auto column = static_cast<std::size_t>(j);
    bool has_diagonal = false;
    const auto add_diagonal = [&] {
      has_diagonal = true;
      diagonals.push_back(rows.size());
      rows.push_back(j);
    };
    const auto end =
        static_cast<std::size_t>(pattern.column_starts[column + 1]);
    for (auto k = static_cast<std::size_t>(pattern.column_starts[column]);
         k < end;
         ++k) {
      const int row = pattern.row_indices[k];
      if (row > j && !has_diagonal) {
        add_diagonal();
      }
      places[k] = rows.size();
      if (row == j) {
        add_diagonal();
      } else {
        rows.push_back(row);
      }
    }
    if (!has_diagonal) {
      add_diagonal();
    }
    starts.push_back(static_cast<int>(rows.size()));
  }
  values.resize(rows.size());
  klu_defaults(&common);
  symbolic = klu_analyze(dimension, starts.data(), rows.data(), &common);
  ORRERY_CHECK(symbolic != nullptr);
}

bool ShiftedMatrix::Sparse::Factor(double shift,
                                   std::span<const double> jacobian) {
  std::ranges::fill(values, 0.0);
  for (std::size_t k = 0; k < places.size(); ++k) {
    values[places[k]] = -jacobian[k];
  }
  for (const std::size_t place : diagonals) {
    values[place] += shift;
  }
  if (numeric != nullptr) {
    const int refactored = klu_refactor(
        starts.data(), rows.data(), values.data(), symbolic, numeric, &common);
    if (refactored != 0 && common.status == KLU_OK &&
        klu_rgrowth(starts.data(),
                    rows.data(),
                    values.data(),
                    symbolic,
                    numeric,
                    &common) != 0 &&
        common.rgrowth > kLeastGrowth) {
      return true;
    }
    klu_free_numeric(&numeric, &common);
  }
  numeric =
      klu_factor(starts.data(), rows.data(), values.data(), symbolic, &common);
  return numeric != nullptr && common.status == KLU_OK;
}

ShiftedMatrix::ShiftedMatrix(int dimension,
                             const SparsityPattern* pattern,
                             LinearSolverKind kind)
    : dimension_(dimension), pattern_(pattern) {
  if (PrefersSparse(dimension, pattern, kind)) {
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
