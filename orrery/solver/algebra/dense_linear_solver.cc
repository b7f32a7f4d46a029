#include "orrery/solver/algebra/dense_linear_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "orrery/base/error.h"

namespace orrery {
namespace {

// Up to this size plain loops beat Eigen's blocked factorization.
constexpr std::size_t kSmall = 24;

// True if the pivot of column k is regular. Row `row` of `factors` (n by n, by
// columns) holds L left of column k; column k holds U above row k.
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

// The factors P A = L D U of a small matrix, by columns: unit L below the
// diagonal D, unit U above it. With D apart from U, the divisions do not
// lengthen the chain of dependent operations.
struct SmallFactors {
  const double* matrix;
  const std::size_t* order;  // Row i of P b is row order[i] of b.
  std::size_t n;
};

// Sizes up to this are unrolled: loop overhead would take longer than the
// arithmetic.
constexpr std::size_t kUnrolled = 8;

// kSize - 1, kSize - 2, ..., as many as there are indices.
template <std::size_t kSize, std::size_t... kIndices>
constexpr auto Descending(std::index_sequence<kIndices...> /*unused*/) {
  return std::index_sequence<(kSize - 1 - kIndices)...>();
}

// Returns x[kRow] minus the products of row kRow of the factors with the known
// elements of x, which are before or after it. One chain of operations for each
// element keeps them all in registers.
template <std::size_t kSize, std::size_t kRow, std::size_t... kIndices>
double WithoutKnown(const double* matrix,
                    const std::array<double, kSize>& x,
                    std::index_sequence<kIndices...> /*unused*/) {
  double rest = x[kRow];
  ((rest -= x[kIndices] * matrix[kIndices * kSize + kRow]), ...);
  return rest;
}

template <std::size_t kSize>
void SolveUnrolled(const SmallFactors& factors, double* b) {
  std::array<double, kSize> x{};
  for (std::size_t i = 0; i < kSize; ++i) {
    x[i] = b[factors.order[i]];
  }
  const double* const matrix = factors.matrix;
  [&]<std::size_t... kRows>(std::index_sequence<kRows...> /*unused*/) {
    ((x[kRows] = WithoutKnown<kSize, kRows>(
          matrix, x, std::make_index_sequence<kRows>())),
     ...);
    ((x[kRows] /= matrix[kRows * (kSize + 1)]), ...);
    ((x[kSize - 1 - kRows] = WithoutKnown<kSize, kSize - 1 - kRows>(
          matrix, x, Descending<kSize>(std::make_index_sequence<kRows>()))),
     ...);
  }
  (std::make_index_sequence<kSize>());
  std::ranges::copy(x, b);
}

void SolveByLoops(const SmallFactors& factors, double* b) {
  const std::size_t n = factors.n;
  std::array<double, kSmall> x{};
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = b[factors.order[i]];
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double* const column = factors.matrix + k * n;
    for (std::size_t i = k + 1; i < n; ++i) {
      x[i] -= x[k] * column[i];
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    x[k] /= factors.matrix[k * (n + 1)];
  }
  for (std::size_t k = n; k-- > 0;) {
    const double* const column = factors.matrix + k * n;
    for (std::size_t i = 0; i < k; ++i) {
      x[i] -= x[k] * column[i];
    }
  }
  std::copy_n(x.begin(), n, b);
}

using SolveSmallFunction = void (*)(const SmallFactors& factors, double* b);

SolveSmallFunction SolveFunctionFor(std::size_t n) {
  return [&]<std::size_t... kSizes>(std::index_sequence<kSizes...> /*unused*/) {
    constexpr std::array<SolveSmallFunction, kUnrolled> kFunctions = {
        SolveUnrolled<kSizes + 1>...};
    return n <= kUnrolled ? kFunctions[n - 1] : SolveByLoops;
  }
  (std::make_index_sequence<kUnrolled>());
}

}  // namespace

struct DenseLinearSolver::Workspace {
  explicit Workspace(std::size_t size)
      : n(size),
        matrix(size * size),
        order(size),
        solve_small(SolveFunctionFor(size)) {
    if (n > kSmall) {
      const auto rank = static_cast<Eigen::Index>(n);
      lu = Eigen::PartialPivLU<Eigen::MatrixXd>(rank);
      permuted.resize(rank);
    }
  }

  bool Pivot(std::size_t k, double threshold, PivotTest test);
  bool FactorSmall(double threshold, PivotTest test);
  bool FactorLarge(double threshold, PivotTest test);
  void SolveLarge(std::span<double> b);

  std::size_t n;
  std::vector<double> matrix;
  int singular_column = -1;
  std::vector<std::size_t> order;  // Row order of a small matrix.
  SolveSmallFunction solve_small;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  Eigen::VectorXd permuted;
};

// Moves the largest of the elements on and below the diagonal of column k to
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
  if (pivot != k) {
    std::swap(order[k], order[pivot]);
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(matrix[j * n + k], matrix[j * n + pivot]);
    }
  }
  return true;
}

bool DenseLinearSolver::Workspace::FactorSmall(double threshold,
                                               PivotTest test) {
  std::iota(order.begin(), order.end(), std::size_t{0});
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
  for (std::size_t j = 1; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      matrix[j * n + i] /= matrix[i * (n + 1)];
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
    workspace_->solve_small({.matrix = workspace_->matrix.data(),
                             .order = workspace_->order.data(),
                             .n = workspace_->n},
                            b.data());
  } else {
    workspace_->SolveLarge(b);
  }
}

}  // namespace orrery
