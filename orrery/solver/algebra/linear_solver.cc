#include "orrery/solver/algebra/linear_solver.h"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/solver/algebra/dense_linear_solver.h"
#include "orrery/solver/algebra/sparsity.h"
#include "orrery/solver/problem/first_not_finite.h"

namespace orrery {

namespace internal = solver::internal;

namespace {

// A refactorization that keeps the old pivots must not lose more than this by
// the growth of elements.
constexpr double kLeastGrowth = 1e-6;
// The diagonal is the pivot if it is at least this part of its column. KLU's
// own 0.001 suits the diagonals of circuits; it lost eight digits on a torn
// grid.
constexpr double kPivotTolerance = 0.1;

}  // namespace

// A full matrix, with the positions of the pattern's elements.
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

// KLU's objects and the matrix. KLU orders rows and columns alike and prefers
// pivots on the diagonal; otherwise fill grows (fivefold on the grid of a
// circuit whose equations come in any order). So rows are permuted to put large
// elements on the diagonal.
struct LinearSolver::Sparse {
  Sparse(int dimension, const SparsityPattern& source)
      : pattern(source),
        values(source.row_indices.size()),
        aligned_rows(values.size()),
        aligned_values(values.size()),
        places(values.size()),
        right_side(static_cast<std::size_t>(dimension)) {
    klu_defaults(&common);
    common.tol = kPivotTolerance;
  }

  ~Sparse() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }

  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  void Analyze();
  bool Refactor();
  bool Factor(double threshold, PivotTest test);
  bool HasPivots(double threshold, PivotTest test);
  [[nodiscard]] std::vector<double> PivotTerms();
  bool FactorAnew();
  void Align();
  void Transfer(StateStream& stream);
  void Solve(std::span<double> b);

  SparsityPattern pattern;
  std::vector<double> values;
  std::vector<int> row_places;  // By row: its place in the aligned matrix.
  std::vector<int> aligned_rows;
  std::vector<double> aligned_values;
  std::vector<std::size_t> places;  // By element, in aligned_values.
  std::vector<double> right_side;
  // Values that the order, the pivots and the last factors come from. Empty:
  // there are none.
  std::vector<double> ordered_values;
  std::vector<double> pivot_values;
  std::vector<double> factored_values;
  int singular_column = -1;
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

// Chooses places for the rows by the values, and an order by the pattern.
void LinearSolver::Sparse::Analyze() {
  row_places = internal::AlignRows(pattern, values);
  ordered_values = values;
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j + 1 < pattern.column_starts.size(); ++j) {
    const auto begin = static_cast<std::size_t>(pattern.column_starts[j]);
    const auto end = static_cast<std::size_t>(pattern.column_starts[j + 1]);
    order.resize(end - begin);
    std::iota(order.begin(), order.end(), begin);
    const auto place_of = [this](std::size_t k) {
      return row_places[static_cast<std::size_t>(pattern.row_indices[k])];
    };
    std::ranges::sort(order, {}, place_of);
    for (std::size_t i = 0; i < order.size(); ++i) {
      places[order[i]] = begin + i;
      aligned_rows[begin + i] = place_of(order[i]);
    }
  }
  klu_free_symbolic(&symbolic, &common);
  symbolic = klu_analyze(pattern.columns,
                         pattern.column_starts.data(),
                         aligned_rows.data(),
                         &common);
  ORRERY_CHECK(symbolic != nullptr || common.status == KLU_SINGULAR);
}

// Factors with the pivots of the last factorization if they are good enough.
bool LinearSolver::Sparse::Refactor() {
  if (numeric == nullptr) {
    return false;
  }
  int* const starts = pattern.column_starts.data();
  int* const rows = aligned_rows.data();
  double* const data = aligned_values.data();
  const int refactored =
      klu_refactor(starts, rows, data, symbolic, numeric, &common);
  if (refactored != 0 && common.status == KLU_OK &&
      klu_rgrowth(starts, rows, data, symbolic, numeric, &common) != 0 &&
      common.rgrowth > kLeastGrowth) {
    return true;
  }
  klu_free_numeric(&numeric, &common);
  return false;
}

bool LinearSolver::Sparse::Factor(double threshold, PivotTest test) {
  singular_column = -1;
  if (const int bad = internal::FirstNotFinite(values); bad >= 0) {
    const auto column = std::ranges::upper_bound(pattern.column_starts, bad);
    singular_column =
        static_cast<int>(column - pattern.column_starts.begin()) - 1;
    return false;
  }
  if (row_places.empty()) {
    Analyze();
  }
  Align();
  factored_values = values;
  if (Refactor() && HasPivots(threshold, test)) {
    return true;
  }
  return FactorAnew() && HasPivots(threshold, test);
}

void LinearSolver::Sparse::Align() {
  for (std::size_t k = 0; k < values.size(); ++k) {
    aligned_values[places[k]] = values[k];
  }
}

// Factors with new pivots.
bool LinearSolver::Sparse::FactorAnew() {
  klu_free_numeric(&numeric, &common);
  numeric = symbolic == nullptr ? nullptr
                                : klu_factor(pattern.column_starts.data(),
                                             aligned_rows.data(),
                                             aligned_values.data(),
                                             symbolic,
                                             &common);
  if (numeric == nullptr || common.status != KLU_OK) {
    singular_column = symbolic == nullptr ? 0 : common.singular_col;
    klu_free_numeric(&numeric, &common);
    return false;
  }
  pivot_values = values;
  return true;
}

// Takes the same steps with the same matrices again.
void LinearSolver::Sparse::Transfer(StateStream& stream) {
  bool has_order = !row_places.empty();
  bool has_pivots = numeric != nullptr;
  stream.Truth(has_order);
  stream.Truth(has_pivots);
  for (std::vector<double>* const its :
       {&ordered_values, &pivot_values, &factored_values}) {
    stream.AllOrNone(*its, values.size());
    stream.Expect(internal::FirstNotFinite(*its) < 0, "a matrix without value");
  }
  if (!stream.reads()) {
    return;
  }
  klu_free_numeric(&numeric, &common);
  row_places.clear();
  if (has_order && !ordered_values.empty()) {
    values = ordered_values;
    Analyze();
  }
  if (has_order && has_pivots && !pivot_values.empty()) {
    values = pivot_values;
    Align();
    if (FactorAnew() && factored_values.size() == values.size() &&
        factored_values != pivot_values) {
      values = factored_values;
      Align();
      static_cast<void>(Refactor());
    }
  }
}

// Returns for each pivot the sum of the magnitudes of the terms whose
// difference it is: the diagonal of |L| |U|.
std::vector<double> LinearSolver::Sparse::PivotTerms() {
  const auto n = static_cast<std::size_t>(symbolic->n);
  std::vector<int> l_starts(n + 1);
  std::vector<int> u_starts(n + 1);
  std::vector<int> l_rows(static_cast<std::size_t>(numeric->lnz));
  std::vector<int> u_rows(static_cast<std::size_t>(numeric->unz));
  std::vector<double> l_values(l_rows.size());
  std::vector<double> u_values(u_rows.size());
  const int extracted = klu_extract(numeric,
                                    symbolic,
                                    l_starts.data(),
                                    l_rows.data(),
                                    l_values.data(),
                                    u_starts.data(),
                                    u_rows.data(),
                                    u_values.data(),
                                    nullptr,
                                    nullptr,
                                    nullptr,
                                    nullptr,
                                    nullptr,
                                    nullptr,
                                    nullptr,
                                    &common);
  ORRERY_CHECK(extracted != 0);
  // Term i of pivot k is L(k, i) U(i, k): both columns are walked by i.
  std::vector<std::vector<std::pair<std::size_t, double>>> l_of_row(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (auto k = static_cast<std::size_t>(l_starts[i]);
         k < static_cast<std::size_t>(l_starts[i + 1]);
         ++k) {
      l_of_row[static_cast<std::size_t>(l_rows[k])].emplace_back(i,
                                                                 l_values[k]);
    }
  }
  std::vector<double> column(n);
  std::vector<double> terms(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::span<const int> rows =
        std::span(u_rows).subspan(static_cast<std::size_t>(u_starts[k]),
                                  static_cast<std::size_t>(u_starts[k + 1]) -
                                      static_cast<std::size_t>(u_starts[k]));
    const double* const in_rows =
        u_values.data() + static_cast<std::size_t>(u_starts[k]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      column[static_cast<std::size_t>(rows[i])] = in_rows[i];
    }
    for (const auto& [i, value] : l_of_row[k]) {
      terms[k] += std::abs(value * column[i]);
    }
    for (const int row : rows) {
      column[static_cast<std::size_t>(row)] = 0;
    }
  }
  return terms;
}

bool LinearSolver::Sparse::HasPivots(double threshold, PivotTest test) {
  const std::span pivots(static_cast<const double*>(numeric->Udiag),
                         static_cast<std::size_t>(symbolic->n));
  std::vector<double> terms;
  for (std::size_t k = 0; k < pivots.size(); ++k) {
    const double pivot = std::abs(pivots[k]);
    if (pivot > threshold) {
      continue;
    }
    if (test == PivotTest::kCancellation && pivot > 0) {
      if (terms.empty()) {
        terms = PivotTerms();
      }
      if (pivot > threshold * terms[k]) {
        continue;
      }
    }
    singular_column = symbolic->Q[k];
    return false;
  }
  singular_column = -1;
  return true;
}

void LinearSolver::Sparse::Solve(std::span<double> b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    right_side[static_cast<std::size_t>(row_places[i])] = b[i];
  }
  klu_solve(symbolic, numeric, symbolic->n, 1, right_side.data(), &common);
  std::ranges::copy(right_side, b.begin());
}

double internal::WorkOfFactors(const SparsityPattern& pattern) {
  internal::DiagonalPattern full(pattern);
  klu_common common{};
  klu_defaults(&common);
  klu_symbolic* symbolic = klu_analyze(full.pattern.columns,
                                       full.pattern.column_starts.data(),
                                       full.pattern.row_indices.data(),
                                       &common);
  ORRERY_CHECK(symbolic != nullptr);
  const double work =
      symbolic->est_flops / (2 * (symbolic->lnz + symbolic->unz));
  klu_free_symbolic(&symbolic, &common);
  return work;
}

LinearSolver::LinearSolver(int dimension,
                           const SparsityPattern* pattern,
                           LinearSolverKind kind) {
  const bool is_dense =
      pattern == nullptr ||
      (kind == LinearSolverKind::kAutomatic ? internal::IsSmallOrFull(*pattern)
                                            : kind == LinearSolverKind::kDense);
  if (is_dense) {
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

bool LinearSolver::Factor(double threshold, PivotTest test) {
  if (sparse_ != nullptr) {
    return sparse_->Factor(threshold, test);
  }
  if (!dense_->is_full) {
    const std::span<double> matrix = dense_->solver.matrix();
    std::ranges::fill(matrix, 0.0);
    for (std::size_t k = 0; k < dense_->places.size(); ++k) {
      matrix[dense_->places[k]] = dense_->values[k];
    }
  }
  return dense_->solver.Factor(threshold, test);
}

void LinearSolver::ForgetPivots() noexcept {
  if (sparse_ != nullptr) {
    klu_free_numeric(&sparse_->numeric, &sparse_->common);
    sparse_->row_places.clear();
  }
}

void LinearSolver::Transfer(StateStream& stream) {
  if (sparse_ != nullptr) {
    sparse_->Transfer(stream);
  }
}

int LinearSolver::singular_column() const noexcept {
  return sparse_ != nullptr ? sparse_->singular_column
                            : dense_->solver.singular_column();
}

void LinearSolver::Solve(std::span<double> b) {
  if (dense_ != nullptr) {
    dense_->solver.Solve(b);
  } else {
    sparse_->Solve(b);
  }
}

}  // namespace orrery
