#include "orrery/solver/dense_linear_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "orrery/base/error.h"

namespace orrery {
namespace {

// Up to this size plain loops beat Eigen's blocked factorization.
constexpr std::size_t kSmall = 24;

// Whether the pivot of column k is regular. Row `row` of `factors` (n by n, by
// columns) holds L left of column k, the column U above row k.
bool IsPivot(const double* factors,
             std::size_t n,
             std::size_t k,
             std::size_t row,
             double threshold,
             PivotTest test) {
  const double pivot = std::abs(factors[k * n + row]);
  if (!std::isfinite(pivot) || pivot == 0) {
    return false;
  }
  if (pivot > threshold) {
    return true;
  }
  if (test == PivotTest::kSize) {
    return false;
  }
  double terms = pivot;
  for (std::size_t i = 0; i < k; ++i) {
    terms += std::abs(factors[i * n + row] * factors[k * n + i]);
  }
  return pivot > threshold * terms;
}

}  // namespace

struct DenseLinearSolver::Workspace {
  explicit Workspace(std::size_t size)
      : n(size), matrix(size * size), rows(size) {
    if (n > kSmall) {
      const auto rank = static_cast<Eigen::Index>(n);
      lu = Eigen::PartialPivLU<Eigen::MatrixXd>(rank);
      permuted.resize(rank);
    }
  }

  bool Pivot(std::size_t k, double threshold, PivotTest test);
  bool FactorSmall(double threshold, PivotTest test);
  bool FactorLarge(double threshold, PivotTest test);
  void SolveSmall(std::span<double> b) const;
  void SolveLarge(std::span<double> b);

  std::size_t n;
  std::vector<double> matrix;
  int singular_column = -1;
  std::vector<std::size_t> rows;  // Row swapped with row k at step k.
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  Eigen::VectorXd permuted;
};

// Brings the largest of the elements on and below the diagonal of column k to
// the diagonal; false if there is none to divide by.
bool DenseLinearSolver::Workspace::Pivot(std::size_t k,
                                         double threshold,
                                         PivotTest test) {
  const double* column = matrix.data() + k * n;
  std::size_t pivot = k;
  for (std::size_t i = k + 1; i < n; ++i) {
    if (std::abs(column[i]) > std::abs(column[pivot])) {
      pivot = i;
    }
  }
  if (!IsPivot(matrix.data(), n, k, pivot, threshold, test)) {
    singular_column = static_cast<int>(k);
    return false;
  }
  rows[k] = pivot;
  if (pivot != k) {
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(matrix[j * n + k], matrix[j * n + pivot]);
    }
  }
  return true;
}

bool DenseLinearSolver::Workspace::FactorSmall(double threshold,
                                               PivotTest test) {
  for (std::size_t k = 0; k < n; ++k) {
    if (!Pivot(k, threshold, test)) {
      return false;
    }
    double* column = matrix.data() + k * n;
    const double inverse = 1 / column[k];
    for (std::size_t i = k + 1; i < n; ++i) {
      column[i] *= inverse;
    }
    for (std::size_t j = k + 1; j < n; ++j) {
      double* other = matrix.data() + j * n;
      const double factor = other[k];
      if (factor == 0) {
        continue;
      }
      for (std::size_t i = k + 1; i < n; ++i) {
        other[i] -= factor * column[i];
      }
    }
  }
  return true;
}

bool DenseLinearSolver::Workspace::FactorLarge(double threshold,
                                               PivotTest test) {
  const auto rank = static_cast<Eigen::Index>(n);
  lu.compute(Eigen::Map<const Eigen::MatrixXd>(matrix.data(), rank, rank));
  for (std::size_t k = 0; k < n; ++k) {
    if (!IsPivot(lu.matrixLU().data(), n, k, k, threshold, test)) {
      singular_column = static_cast<int>(k);
      return false;
    }
  }
  return true;
}

void DenseLinearSolver::Workspace::SolveSmall(std::span<double> b) const {
  for (std::size_t k = 0; k < n; ++k) {
    std::swap(b[k], b[rows[k]]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double* column = matrix.data() + k * n;
    const double value = b[k];
    for (std::size_t i = k + 1; i < n; ++i) {
      b[i] -= value * column[i];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    const double* column = matrix.data() + k * n;
    b[k] /= column[k];
    const double value = b[k];
    for (std::size_t i = 0; i < k; ++i) {
      b[i] -= value * column[i];
    }
  }
}

void DenseLinearSolver::Workspace::SolveLarge(std::span<double> b) {
  const auto rank = static_cast<Eigen::Index>(n);
  Eigen::Map<Eigen::VectorXd> result(b.data(), rank);
  permuted.noalias() = lu.permutationP() * result;
  lu.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(permuted);
  lu.matrixLU().triangularView<Eigen::Upper>().solveInPlace(permuted);
  result = permuted;
}

DenseLinearSolver::DenseLinearSolver(int dimension) {
  ORRERY_CHECK(dimension >= 1);
  workspace_ = std::make_unique<Workspace>(static_cast<std::size_t>(dimension));
}

DenseLinearSolver::DenseLinearSolver(DenseLinearSolver&&) noexcept = default;
DenseLinearSolver& DenseLinearSolver::operator=(DenseLinearSolver&&) noexcept =
    default;
DenseLinearSolver::~DenseLinearSolver() = default;

std::span<double> DenseLinearSolver::matrix() noexcept {
  return workspace_->matrix;
}

bool DenseLinearSolver::Factor(double threshold, PivotTest test) {
  workspace_->singular_column = -1;
  return workspace_->n <= kSmall ? workspace_->FactorSmall(threshold, test)
                                 : workspace_->FactorLarge(threshold, test);
}

int DenseLinearSolver::singular_column() const noexcept {
  return workspace_->singular_column;
}

void DenseLinearSolver::Solve(std::span<double> b) {
  if (workspace_->n <= kSmall) {
    workspace_->SolveSmall(b);
  } else {
    workspace_->SolveLarge(b);
  }
}

}  // namespace orrery
