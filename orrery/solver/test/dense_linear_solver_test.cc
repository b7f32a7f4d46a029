#include "orrery/solver/algebra/dense_linear_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/test/count_allocations.h"

namespace orrery {
namespace {

// A x for a matrix by columns.
std::vector<double> Times(const std::vector<double>& a,
                          const std::vector<double>& x) {
  std::vector<double> b(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      b[i] += a[j * x.size() + i] * x[j];
    }
  }
  return b;
}

// Returns numbers between -1 and 1, the same each time.
std::vector<double> Numbers(std::size_t count) {
  std::vector<double> values(count);
  double state = 0.3;
  for (double& value : values) {
    state = std::fmod(state * 997.1 + 0.7, 1.0);
    value = 2 * state - 1;
  }
  return values;
}

class DenseLinearSolverTest : public testing::TestWithParam<int> {};

TEST_P(DenseLinearSolverTest, SolvesWhatItFactored) {
  const auto n = static_cast<std::size_t>(GetParam());
  const std::vector<double> a = Numbers(n * n);
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<double>(i) - 3;
  }
  std::vector<double> b = Times(a, x);
  DenseLinearSolver solver(GetParam());
  std::ranges::copy(a, solver.matrix().begin());
  ASSERT_TRUE(solver.Factor());
  EXPECT_EQ(solver.singular_column(), -1);
  solver.Solve(b);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(b[i], x[i], 1e-10) << i;
  }
}

TEST_P(DenseLinearSolverTest, FindsTheColumnThatDependsOnTheOthers) {
  const auto n = static_cast<std::size_t>(GetParam());
  if (n < 2) {
    return;
  }
  std::vector<double> a(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i * n + i] = 2;
  }
  std::ranges::fill(std::span(a).subspan((n - 1) * n), 0.0);
  a[(n - 1) * n] = 1;  // The last column is half of the first.
  DenseLinearSolver solver(GetParam());
  std::ranges::copy(a, solver.matrix().begin());
  EXPECT_FALSE(solver.Factor());
  EXPECT_EQ(solver.singular_column(), GetParam() - 1);
}

TEST_P(DenseLinearSolverTest, TakesWhatIsNotANumberForSingular) {
  DenseLinearSolver solver(GetParam());
  std::ranges::fill(solver.matrix(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(solver.Factor());
  EXPECT_EQ(solver.singular_column(), 0);
}

TEST_P(DenseLinearSolverTest, AllocatesNothing) {
  const auto n = static_cast<std::size_t>(GetParam());
  const std::vector<double> a = Numbers(n * n);
  std::vector<double> b(n, 1.0);
  DenseLinearSolver solver(GetParam());
  const int before = CountAllocations();
  std::ranges::copy(a, solver.matrix().begin());
  ASSERT_TRUE(solver.Factor());
  solver.Solve(b);
  EXPECT_EQ(CountAllocations(), before);
}

// Sizes below and above the one at which Eigen takes over.
INSTANTIATE_TEST_SUITE_P(Sizes,
                         DenseLinearSolverTest,
                         testing::Values(1, 2, 5, 24, 25, 60));

TEST(DenseLinearSolverThresholdTest, CountsSmallPivotsAsZero) {
  DenseLinearSolver solver(2);
  std::ranges::copy(std::array{1.0, 0.0, 0.0, 1e-14}, solver.matrix().begin());
  EXPECT_FALSE(solver.Factor(1e-13));
  EXPECT_EQ(solver.singular_column(), 1);
  std::ranges::copy(std::array{1.0, 0.0, 0.0, 1e-14}, solver.matrix().begin());
  EXPECT_TRUE(solver.Factor(1e-15));
}

TEST(DenseLinearSolverThresholdTest, TakesSmallEntriesForExactIfTold) {
  // With 30 unknowns as well: both kinds of factorization test alike.
  for (const std::size_t n : {2U, 30U}) {
    const auto factors = [n](double last, PivotTest test) {
      DenseLinearSolver solver(static_cast<int>(n));
      const std::span<double> a = solver.matrix();
      std::ranges::fill(a, 0.0);
      for (std::size_t k = 0; k < n; ++k) {
        a[k * n + k] = 1;
      }
      a[1] = 1e-20;
      a[n] = 1;
      a[n + 1] = last;  // {{1, 1}, {1e-20, last}} in the corner.
      return solver.Factor(1e-14, test);
    };
    EXPECT_FALSE(factors(3e-20, PivotTest::kSize)) << n;
    EXPECT_TRUE(factors(3e-20, PivotTest::kCancellation)) << n;
    // This pivot is pure rounding.
    EXPECT_FALSE(factors(1e-20 * (1 + 1e-15), PivotTest::kCancellation)) << n;
    EXPECT_FALSE(factors(1e-20, PivotTest::kCancellation)) << n;
  }
}

}  // namespace
}  // namespace orrery
