#include "orrery/solver/sundials/sundials_support.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "orrery/base/error.h"
#include "orrery/solver/algebra/sparsity.h"

namespace orrery::solver::internal {
namespace {

// The functions of a SUNDIALS linear solver, implemented by ours.

SUNLinearSolver_Type TypeOf(SUNLinearSolver /*solver*/) {
  return SUNLINEARSOLVER_DIRECT;
}

template <typename Own>
int Factor(SUNLinearSolver solver, SUNMatrix matrix) {
  try {
    auto& own = *static_cast<Own*>(solver->content);
    std::copy_n(SM_DATA_S(matrix), own.values().size(), own.values().begin());
    return own.Factor() ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
  } catch (...) {
    return SUNLS_MEM_FAIL;  // No exception may pass through C code.
  }
}

template <typename Own>
int Solve(SUNLinearSolver solver,
          SUNMatrix /*matrix*/,
          N_Vector x,
          N_Vector b,
          realtype /*tolerance*/) {
  std::ranges::copy(Elements(b), Elements(x).begin());
  static_cast<Own*>(solver->content)->Solve(Elements(x));
  return SUNLS_SUCCESS;
}

int Free(SUNLinearSolver solver) {
  solver->content = nullptr;
  SUNLinSolFreeEmpty(solver);
  return SUNLS_SUCCESS;
}

template <typename Own>
SUNLinearSolver Wrap(Own& own, const SundialsContext& context) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(context.get());
  ORRERY_CHECK(solver != nullptr);
  solver->content = &own;
  solver->ops->gettype = TypeOf;
  solver->ops->setup = Factor<Own>;
  solver->ops->solve = Solve<Own>;
  solver->ops->free = Free;
  return solver;
}

}  // namespace

SundialsContext::SundialsContext() {
  ORRERY_CHECK(SUNContext_Create(nullptr, &context_) == 0);
}

SundialsVector::SundialsVector(int size, const SundialsContext& context)
    : vector_(N_VNew_Serial(size, context.get())) {
  ORRERY_CHECK(vector_ != nullptr);
  std::ranges::fill(values(), 0.0);
}

std::span<double> SundialsVector::values() const noexcept {
  return Elements(vector_);
}

std::span<double> Elements(N_Vector vector) noexcept {
  return {N_VGetArrayPointer(vector),
          static_cast<std::size_t>(N_VGetLength(vector))};
}

SundialsLinearSolver::SundialsLinearSolver(const SundialsVector& prototype,
                                           const SparsityPattern* pattern,
                                           LinearSolverKind kind,
                                           Diagonal diagonal,
                                           const SundialsContext& context)
    : dimension_(static_cast<int>(prototype.values().size())),
      pattern_(pattern),
      kind_(ChooseLinearSolver(dimension_, pattern, kind)) {
  const sunindextype n = dimension_;
  if (kind_ != LinearSolverKind::kDense) {
    if (diagonal == Diagonal::kComplete) {
      DiagonalPattern with_diagonal(*pattern);
      full_ = std::move(with_diagonal.pattern);
      places_ = std::move(with_diagonal.places);
    } else {
      full_ = *pattern;
      places_.resize(full_.row_indices.size());
      std::iota(places_.begin(), places_.end(), std::size_t{0});
    }
    matrix_ = SUNSparseMatrix(n, n, full_.nonzeros(), CSC_MAT, context.get());
    if (kind_ == LinearSolverKind::kBand) {
      band_.emplace(full_, OrderForBand(full_));
      solver_ = Wrap(*band_, context);
    } else {
      own_.emplace(dimension_, &full_, LinearSolverKind::kSparse);
      solver_ = Wrap(*own_, context);
    }
  } else {
    matrix_ = SUNDenseMatrix(n, n, context.get());
    solver_ = SUNLinSol_Dense(prototype.get(), matrix_, context.get());
  }
  ORRERY_CHECK(matrix_ != nullptr && solver_ != nullptr);
}

SundialsLinearSolver::~SundialsLinearSolver() {
  SUNLinSolFree(solver_);
  SUNMatDestroy(matrix_);
}

void SundialsLinearSolver::Fill(std::span<const double> values,
                                SUNMatrix matrix) const {
  if (kind_ != LinearSolverKind::kDense) {
    std::ranges::copy(full_.column_starts, SM_INDEXPTRS_S(matrix));
    std::ranges::copy(full_.row_indices, SM_INDEXVALS_S(matrix));
    double* const data = SM_DATA_S(matrix);
    std::fill_n(data, full_.nonzeros(), 0.0);
    for (std::size_t k = 0; k < places_.size(); ++k) {
      data[places_[k]] = values[k];
    }
    return;
  }
  if (pattern_ == nullptr) {
    std::ranges::copy(values, SM_DATA_D(matrix));
    return;
  }
  SUNMatZero(matrix);
  for (int j = 0; j < dimension_; ++j) {
    const auto column = static_cast<std::size_t>(j);
    const auto end =
        static_cast<std::size_t>(pattern_->column_starts[column + 1]);
    double* const data = SM_COLUMN_D(matrix, j);
    for (auto k = static_cast<std::size_t>(pattern_->column_starts[column]);
         k < end;
         ++k) {
      data[pattern_->row_indices[k]] = values[k];
    }
  }
}

double SetMultistepTolerances(const Tolerances& tolerances,
                              std::span<double> absolute) {
  constexpr double kPart = 0.1;
  constexpr double kLeast = 1e-14;
  const double asked = tolerances.relative();
  const double relative = std::max(kPart * asked, std::min(asked, kLeast));
  for (std::size_t i = 0; i < absolute.size(); ++i) {
    absolute[i] = tolerances.absolute()[i] * (relative / asked);
  }
  return relative;
}

double LeastStep(double t) noexcept {
  return 4 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

double LeastFirstStep(double min_step, double max_step, double t) noexcept {
  return std::min(std::max(min_step, 2 * LeastStep(t)), max_step);
}

void SetTaylor(int degree,
               std::span<const double> x_begin,
               std::span<double> taylor,
               DenseOutput& dense) {
  // In powers of u = s - 1; at the beginning of the step u = -1.
  const std::size_t n = x_begin.size();
  const auto top = static_cast<std::size_t>(degree) + 1;
  for (std::size_t i = 0; i < n; ++i) {
    double begin = 0;
    for (std::size_t k = top; k-- > 0;) {
      begin = taylor[k * n + i] - begin;
    }
    const double gap = x_begin[i] - begin;
    taylor[top * n + i] = top % 2 == 0 ? gap : -gap;
  }
  // Horner's scheme on polynomials: p(s) = p(s) (s - 1) + taylor_k.
  for (std::size_t k = 1; k <= top; ++k) {
    std::ranges::fill(dense.coefficients(static_cast<int>(k)), 0.0);
  }
  std::ranges::copy(taylor.subspan(top * n, n), dense.coefficients(0).begin());
  for (std::size_t row = top; row-- > 0;) {
    for (std::size_t k = top - row; k > 0; --k) {
      const std::span<double> c = dense.coefficients(static_cast<int>(k));
      const std::span<double> lower =
          dense.coefficients(static_cast<int>(k) - 1);
      for (std::size_t i = 0; i < n; ++i) {
        c[i] = lower[i] - c[i];
      }
    }
    const std::span<double> c = dense.coefficients(0);
    for (std::size_t i = 0; i < n; ++i) {
      c[i] = taylor[row * n + i] - c[i];
    }
  }
  std::ranges::copy(x_begin, dense.coefficients(0).begin());
}

}  // namespace orrery::solver::internal
