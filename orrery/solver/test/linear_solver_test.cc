#include "orrery/solver/algebra/linear_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/solver/algebra/band_linear_solver.h"
#include "orrery/solver/algebra/sparsity.h"

namespace orrery {

namespace internal = solver::internal;

namespace {

// A tridiagonal pattern, with both corners.
SparsityPattern Ring(int n) {
  SparsityPattern pattern{
      .rows = n, .columns = n, .column_starts = {0}, .row_indices = {}};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int distance = std::abs(i - j);
      if (distance <= 1 || distance == n - 1) {
        pattern.row_indices.push_back(i);
      }
    }
    pattern.column_starts.push_back(pattern.nonzeros());
  }
  return pattern;
}

RC_GTEST_PROP(LinearSolverTest, SparseAndDenseFactorsAgree, ()) {
  const int n = *rc::gen::inRange(3, 60);
  const SparsityPattern pattern = Ring(n);
  LinearSolver dense(n, &pattern, LinearSolverKind::kDense);
  LinearSolver sparse(n, &pattern, LinearSolverKind::kSparse);
  RC_ASSERT(sparse.is_sparse() && !dense.is_sparse());
  // Twice: the second time KLU keeps its pivots.
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t k = 0; k < pattern.row_indices.size(); ++k) {
      const double value = *rc::gen::inRange(-1000, 1000) / 1000.0;
      dense.values()[k] = value;
      sparse.values()[k] = value;
    }
    for (int j = 0; j < n; ++j) {  // Dominant: well conditioned.
      for (int k = pattern.column_starts[static_cast<std::size_t>(j)];
           k < pattern.column_starts[static_cast<std::size_t>(j) + 1];
           ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (pattern.row_indices[at] == j) {
          dense.values()[at] = 4;
          sparse.values()[at] = 4;
        }
      }
    }
    RC_ASSERT(dense.Factor() && sparse.Factor());
    std::vector<double> x(static_cast<std::size_t>(n), 1.0);
    std::vector<double> y = x;
    dense.Solve(x);
    sparse.Solve(y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      RC_ASSERT(std::abs(x[i] - y[i]) <= 1e-14);
    }
  }
}

// A band of any shape with its rows and columns in a random order; small
// elements on the diagonal make rows change places.
RC_GTEST_PROP(BandLinearSolverTest, SolvesWithASmallResidualInAnyOrder, ()) {
  const int n = *rc::gen::inRange(1, 40);
  const int lower = *rc::gen::inRange(0, 7);
  const int upper = *rc::gen::inRange(0, 7);
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  SparsityPattern pattern{
      .rows = n, .columns = n, .column_starts = {0}, .row_indices = {}};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int below = order[static_cast<std::size_t>(i)] -
                        order[static_cast<std::size_t>(j)];
      if (below <= lower && -below <= upper) {
        pattern.row_indices.push_back(i);
      }
    }
    pattern.column_starts.push_back(pattern.nonzeros());
  }
  LinearSolver dense(n, &pattern, LinearSolverKind::kDense);
  internal::BandLinearSolver band(pattern, internal::OrderForBand(pattern));
  std::vector<double> matrix;
  for (std::size_t k = 0; k < pattern.row_indices.size(); ++k) {
    const double value = *rc::gen::inRange(-1000, 1000) / 1000.0;
    dense.values()[k] = value;
    band.values()[k] = value;
    matrix.push_back(value);
  }
  const bool is_regular = dense.Factor(1e-6);
  RC_PRE(is_regular);
  RC_ASSERT(band.Factor());
  std::vector<double> x(static_cast<std::size_t>(n), 1.0);
  band.Solve(x);
  // Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem
  // 9.5: whatever the condition of the matrix, the residual is small.
  std::vector<double> residual(x.size(), 1.0);
  double largest_term = 1;
  internal::ForEachElement(
      &pattern,
      x.size(),
      [&](std::size_t k, std::size_t row, std::size_t column) {
        const double term = matrix[k] * x[column];
        residual[row] -= term;
        largest_term = std::max(largest_term, std::abs(term));
      });
  for (const double r : residual) {
    RC_ASSERT(std::abs(r) <= 1e-13 * largest_term);
  }
}

TEST(BandLinearSolverTest, RefusesWhatIsSingularOrNotFiniteAndRecovers) {
  const SparsityPattern pattern = Ring(3);  // Full.
  internal::BandLinearSolver band(pattern, internal::OrderForBand(pattern));
  const auto factor = [&](const std::vector<double>& columns) {
    std::ranges::copy(columns, band.values().begin());
    return band.Factor();
  };
  EXPECT_FALSE(factor({1, 2, 3, 2, 4, 6, 0, 0, 1}));
  EXPECT_FALSE(factor(
      {1, 0, 0, 0, std::numeric_limits<double>::quiet_NaN(), 0, 0, 0, 1}));
  ASSERT_TRUE(factor({0, 0, 4, 1, 0, 0, 0, 2, 0}));  // Rows out of order.
  std::vector<double> x = {1, 6, 8};
  band.Solve(x);
  EXPECT_EQ(x, (std::vector<double>{2, 1, 3}));
}

TEST(BandOrderTest, FindsTheBandOfAShuffledChainAndKeepsANarrowOrder) {
  // 0 - 3 - 1 - 4 - 2
  const SparsityPattern chain{
      .rows = 5,
      .columns = 5,
      .column_starts = {0, 2, 5, 7, 10, 13},
      .row_indices = {0, 3, 1, 3, 4, 2, 4, 0, 1, 3, 1, 2, 4}};
  const internal::BandOrder order = internal::OrderForBand(chain);
  EXPECT_EQ(order.band.lower, 1);
  EXPECT_EQ(order.band.upper, 1);
  EXPECT_EQ(std::abs(order.places[0] - order.places[3]), 1);
  EXPECT_EQ(std::abs(order.places[4] - order.places[2]), 1);
  const SparsityPattern triangle{.rows = 3,
                                 .columns = 3,
                                 .column_starts = {0, 1, 3, 5},
                                 .row_indices = {0, 0, 1, 1, 2}};
  EXPECT_EQ(internal::OrderForBand(triangle).places,
            (std::vector<int>{0, 1, 2}));
}

TEST(WorkOfFactorsTest, IsLittleForAChainAndAThirdOfTheDimensionIfFull) {
  EXPECT_LT(internal::WorkOfFactors(Ring(1000)), 3);
  SparsityPattern full{
      .rows = 60, .columns = 60, .column_starts = {0}, .row_indices = {}};
  for (int j = 0; j < 60; ++j) {
    for (int i = 0; i < 60; ++i) {
      full.row_indices.push_back(i);
    }
    full.column_starts.push_back(full.nonzeros());
  }
  EXPECT_NEAR(internal::WorkOfFactors(full), 20, 1);
}

TEST(LinearSolverTest, FactorsASmallMatrixDenselyWhateverItsPattern) {
  const SparsityPattern one{
      .rows = 1, .columns = 1, .column_starts = {0, 1}, .row_indices = {0}};
  EXPECT_FALSE(LinearSolver(1, &one).is_sparse());
}

class SingularMatrixTest : public testing::TestWithParam<LinearSolverKind> {};

// I, except that column 2 is `value`.
LinearSolver DiagonalWith(double value, LinearSolverKind kind) {
  const SparsityPattern pattern{.rows = 4,
                                .columns = 4,
                                .column_starts = {0, 1, 2, 3, 4},
                                .row_indices = {0, 1, 2, 3}};
  LinearSolver solver(4, &pattern, kind);
  for (double& element : solver.values()) {
    element = 1;
  }
  solver.values()[2] = value;
  return solver;
}

TEST_P(SingularMatrixTest, NamesTheColumnOfAZeroPivot) {
  LinearSolver solver = DiagonalWith(0, GetParam());
  EXPECT_FALSE(solver.Factor());
  EXPECT_EQ(solver.singular_column(), 2);
}

TEST_P(SingularMatrixTest, NamesTheColumnThatIsNotFinite) {
  LinearSolver solver =
      DiagonalWith(std::numeric_limits<double>::quiet_NaN(), GetParam());
  EXPECT_FALSE(solver.Factor());
  EXPECT_EQ(solver.singular_column(), 2);
}

TEST_P(SingularMatrixTest, RecoversWithTheNextMatrix) {
  LinearSolver solver = DiagonalWith(0, GetParam());
  EXPECT_FALSE(solver.Factor());
  for (double& element : solver.values()) {
    element = 2;
  }
  ASSERT_TRUE(solver.Factor());
  EXPECT_EQ(solver.singular_column(), -1);
  std::vector<double> b = {2, 4, 6, 8};
  solver.Solve(b);
  EXPECT_EQ(b, (std::vector<double>{1, 2, 3, 4}));
}

INSTANTIATE_TEST_SUITE_P(DenseAndSparse,
                         SingularMatrixTest,
                         testing::Values(LinearSolverKind::kDense,
                                         LinearSolverKind::kSparse));

// The places of a grid's rows, whatever the order of its equations, are those
// of the diagonal, whose elements are the largest.
RC_GTEST_PROP(AlignRowsTest, FindsTheDominantDiagonalOfShuffledRows, ()) {
  const int n = *rc::gen::inRange(3, 80);
  const SparsityPattern ring = Ring(n);
  std::vector<int> shuffled(static_cast<std::size_t>(n));
  std::iota(shuffled.begin(), shuffled.end(), 0);
  for (std::size_t i = shuffled.size() - 1; i > 0; --i) {
    std::swap(shuffled[i], shuffled[*rc::gen::inRange<std::size_t>(0, i + 1)]);
  }
  SparsityPattern pattern = ring;
  std::vector<double> values;
  for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
    const auto begin = ring.row_indices.begin() + ring.column_starts[j];
    const auto end = ring.row_indices.begin() + ring.column_starts[j + 1];
    std::vector<std::pair<int, double>> column;
    for (auto row = begin; row != end; ++row) {
      const bool on_diagonal = *row == static_cast<int>(j);
      column.emplace_back(
          shuffled[static_cast<std::size_t>(*row)],
          on_diagonal ? 4.0 : *rc::gen::inRange(-1000, 1000) / 1000.0);
    }
    std::ranges::sort(column);
    for (std::size_t k = 0; k < column.size(); ++k) {
      pattern.row_indices[values.size()] = column[k].first;
      values.push_back(column[k].second);
    }
  }
  const std::vector<int> places = internal::AlignRows(pattern, values);
  for (std::size_t i = 0; i < shuffled.size(); ++i) {
    RC_ASSERT(places[static_cast<std::size_t>(shuffled[i])] ==
              static_cast<int>(i));
  }
}

// Taking the largest element would leave nothing for the second column.
TEST(AlignRowsTest, CompletesTheDiagonalAlongAlternatingPaths) {
  const SparsityPattern pattern{.rows = 3,
                                .columns = 3,
                                .column_starts = {0, 2, 3, 5},
                                .row_indices = {0, 1, 0, 1, 2}};
  EXPECT_EQ(internal::AlignRows(pattern, std::vector{5.0, 1.0, 1.0, 3.0, 2.0}),
            (std::vector{1, 0, 2}));
}

TEST(AlignRowsTest, GivesEveryRowOfASingularMatrixAPlace) {
  const SparsityPattern pattern{.rows = 3,
                                .columns = 3,
                                .column_starts = {0, 1, 2, 3},
                                .row_indices = {1, 1, 1}};
  std::vector<int> places =
      internal::AlignRows(pattern, std::vector{1.0, 2.0, 0.0});
  std::ranges::sort(places);
  EXPECT_EQ(places, (std::vector{0, 1, 2}));
}

TEST(LinearSolverTest, TakesPivotsBelowTheThresholdForZero) {
  const SparsityPattern pattern{.rows = 2,
                                .columns = 2,
                                .column_starts = {0, 2, 4},
                                .row_indices = {0, 1, 0, 1}};
  LinearSolver solver(2, &pattern, LinearSolverKind::kSparse);
  const auto factors = [&](double value, double threshold) {
    const std::vector<double> matrix = {1, 1, 1, 1 + value};
    std::copy(matrix.begin(), matrix.end(), solver.values().begin());
    return solver.Factor(threshold);
  };
  EXPECT_FALSE(factors(1e-10, 1e-9));
  EXPECT_GE(solver.singular_column(), 0);
  EXPECT_TRUE(factors(1e-8, 1e-9));
}

TEST(LinearSolverTest, TakesSmallEntriesForExactIfTold) {
  // With rows 1 1 0; 1 1+x 1; 0 0 1 the pivot x is a difference of terms 1.
  // With rows 1 0 0; 0 x 1; 0 0 1 it is an entry, and exact.
  const SparsityPattern pattern{.rows = 3,
                                .columns = 3,
                                .column_starts = {0, 2, 4, 6},
                                .row_indices = {0, 1, 0, 1, 1, 2}};
  LinearSolver solver(3, &pattern, LinearSolverKind::kSparse);
  const auto factors = [&](double off, double pivot, PivotTest test) {
    const std::vector<double> matrix = {1, off, off, pivot, 1, 1};
    std::ranges::copy(matrix, solver.values().begin());
    return solver.Factor(1e-9, test);
  };
  EXPECT_FALSE(factors(1, 1 + 1e-10, PivotTest::kSize));
  EXPECT_FALSE(factors(1, 1 + 1e-10, PivotTest::kCancellation));
  EXPECT_FALSE(factors(0, 1e-10, PivotTest::kSize));
  EXPECT_TRUE(factors(0, 1e-10, PivotTest::kCancellation));
  EXPECT_FALSE(factors(0, 0, PivotTest::kCancellation));
}

TEST(LinearSolverTest, ForgetsThePivotsOfEarlierMatrices) {
  constexpr int kSize = 12;
  SparsityPattern pattern{
      .rows = kSize, .columns = kSize, .column_starts = {0}};
  for (int j = 0; j < kSize; ++j) {
    for (int i = std::max(0, j - 2); i <= std::min(kSize - 1, j + 2); ++i) {
      pattern.row_indices.push_back(i);
    }
    pattern.column_starts.push_back(pattern.nonzeros());
  }
  const auto solve = [&](LinearSolver& solver, double phase) {
    for (std::size_t k = 0; k < solver.values().size(); ++k) {
      solver.values()[k] = std::sin(phase * static_cast<double>(k + 1));
    }
    EXPECT_TRUE(solver.Factor());
    std::vector<double> x(kSize, 1.0);
    solver.Solve(x);
    return x;
  };
  LinearSolver fresh(kSize, &pattern, LinearSolverKind::kSparse);
  const std::vector<double> expected = solve(fresh, 1.7);
  LinearSolver used(kSize, &pattern, LinearSolverKind::kSparse);
  solve(used, 0.9);
  // The pivots of the other matrix change the last digits.
  EXPECT_NE(solve(used, 1.7), expected);
  used.ForgetPivots();
  EXPECT_EQ(solve(used, 1.7), expected);
}

}  // namespace
}  // namespace orrery
