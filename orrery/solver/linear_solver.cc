#include "orrery/solver/linear_solver.h"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/solver/dense_linear_solver.h"
#include "orrery/solver/internal/evaluator.h"
#include "orrery/solver/internal/sparsity.h"

namespace orrery {
namespace {

// A refactorization that keeps the old pivots must not lose more than this to
// the growth of elements.
constexpr double kLeastGrowth = 1e-6;
// The diagonal is the pivot if it is at least this part of its column. KLU's
// own 0.001 suits circuits' diagonals; it lost eight digits on a torn grid.
constexpr double kPivotTolerance = 0.1;

}  // namespace

// A full matrix, and where the elements of the pattern stand in it.
struct LinearSolver::Dense {
  Dense(int dimension, const SparsityPattern* pattern) : solver(dimension) {
    if (pattern == nullptr) {
      return;
    }
    const auto n = static_cast<std::size_t>(dimension);
    internal::ForEachElement(
        pattern, n, [&](std::size_t, std::size_t row, std::size_t column) {
          places.push_back(column * n + row);
        });
    values.resize(places.size());
    is_full = false;
  }

  DenseLinearSolver solver;
  bool is_full = true;
  std::vector<std::size_t> places;
  std::vector<double> values;
};

// KLU's objects and the matrix.
struct LinearSolver::Sparse {
  Sparse(int dimension, const SparsityPattern& source)
      : pattern(source), values(source.row_indices.size()) {
    klu_defaults(&common);
    common.tol = kPivotTolerance;
    symbolic = klu_analyze(dimension,
                           pattern.column_starts.data(),
                           pattern.row_indices.data(),
                           &common);
    ORRERY_CHECK(symbolic != nullptr || common.status == KLU_SINGULAR);
  }

  ~Sparse() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }

  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  bool Refactor();
  bool Factor(double threshold);
  bool HasPivots(double threshold);

  SparsityPattern pattern;
  std::vector<double> values;
  int singular_column = -1;
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

// With the pivots of the last factorization, if they still serve.
bool LinearSolver::Sparse::Refactor() {
  if (numeric == nullptr) {
    return false;
  }
  int* const starts = pattern.column_starts.data();
  int* const rows = pattern.row_indices.data();
  const int refactored =
      klu_refactor(starts, rows, values.data(), symbolic, numeric, &common);
  if (refactored != 0 && common.status == KLU_OK &&
      klu_rgrowth(starts, rows, values.data(), symbolic, numeric, &common) !=
          0 &&
      common.rgrowth > kLeastGrowth) {
    return true;
  }
  klu_free_numeric(&numeric, &common);
  return false;
}

bool LinearSolver::Sparse::Factor(double threshold) {
  singular_column = -1;
  if (const int bad = internal::FirstNotFinite(values); bad >= 0) {
    const auto column = std::ranges::upper_bound(pattern.column_starts, bad);
    singular_column =
        static_cast<int>(column - pattern.column_starts.begin()) - 1;
    return false;
  }
  if (Refactor() && HasPivots(threshold)) {
    return true;
  }
  klu_free_numeric(&numeric, &common);
  numeric = symbolic == nullptr ? nullptr
                                : klu_factor(pattern.column_starts.data(),
                                             pattern.row_indices.data(),
                                             values.data(),
                                             symbolic,
                                             &common);
  if (numeric == nullptr || common.status != KLU_OK) {
    singular_column = symbolic == nullptr ? 0 : common.singular_col;
    klu_free_numeric(&numeric, &common);
    return false;
  }
  return HasPivots(threshold);
}

bool LinearSolver::Sparse::HasPivots(double threshold) {
  const auto* const pivots = static_cast<const double*>(numeric->Udiag);
  for (int k = 0; k < symbolic->n; ++k) {
    if (!(std::abs(pivots[k]) > threshold)) {
      singular_column = symbolic->Q[k];
      return false;
    }
  }
  singular_column = -1;
  return true;
}

LinearSolver::LinearSolver(int dimension,
                           const SparsityPattern* pattern,
                           LinearSolverKind kind) {
  if (internal::ChooseLinearSolver(dimension, pattern, kind) ==
      LinearSolverKind::kDense) {
    dense_ = std::make_unique<Dense>(dimension, pattern);
  } else {
    sparse_ = std::make_unique<Sparse>(dimension, *pattern);
  }
}

LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;
LinearSolver::~LinearSolver() = default;

std::span<double> LinearSolver::values() noexcept {
  if (sparse_ != nullptr) {
    return sparse_->values;
  }
  return dense_->is_full ? dense_->solver.matrix() : std::span(dense_->values);
}

bool LinearSolver::Factor(double threshold) {
  if (sparse_ != nullptr) {
    return sparse_->Factor(threshold);
  }
  if (!dense_->is_full) {
    const std::span<double> matrix = dense_->solver.matrix();
    std::ranges::fill(matrix, 0.0);
    for (std::size_t k = 0; k < dense_->places.size(); ++k) {
      matrix[dense_->places[k]] = dense_->values[k];
    }
  }
  return dense_->solver.Factor(threshold);
}

int LinearSolver::singular_column() const noexcept {
  return sparse_ != nullptr ? sparse_->singular_column
                            : dense_->solver.singular_column();
}

void LinearSolver::Solve(std::span<double> b) {
  if (dense_ != nullptr) {
    dense_->solver.Solve(b);
    return;
  }
  klu_solve(sparse_->symbolic,
            sparse_->numeric,
            sparse_->symbolic->n,
            1,
            b.data(),
            &sparse_->common);
}

}  // namespace orrery
