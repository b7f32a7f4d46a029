#include "orrery/solver/algebra/minimum_norm_solver.h"

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace orrery {
namespace {

template <std::size_t Rows, std::size_t Columns>
std::array<double, Columns> Solve(
    const std::array<double, Rows * Columns>& by_columns,
    const std::array<double, Rows>& b) {
  MinimumNormSolver solver(Rows, Columns);
  std::ranges::copy(by_columns, solver.matrix().begin());
  solver.Factor();
  std::array<double, Columns> x{};
  solver.Solve(b, x);
  return x;
}

TEST(MinimumNormSolverTest, OneEquationMovesAlongItsSlope) {
  const auto x = Solve<1, 2>({3, 4}, {25});
  EXPECT_NEAR(x[0], 3, 1e-14);
  EXPECT_NEAR(x[1], 4, 1e-14);
}

TEST(MinimumNormSolverTest, EquationsMayFollowFromEachOther) {
  const auto x = Solve<2, 2>({1, 2, 1, 2}, {2, 4});
  EXPECT_NEAR(x[0], 1, 1e-14);
  EXPECT_NEAR(x[1], 1, 1e-14);
}

TEST(MinimumNormSolverTest, WhereEquationsContradictTheyAreMissedAlike) {
  const auto x = Solve<2, 1>({1, 1}, {1, 3});
  EXPECT_NEAR(x[0], 2, 1e-14);
}

TEST(MinimumNormSolverTest, WithoutSlopesNothingMoves) {
  const auto x = Solve<1, 2>({0, 0}, {1});
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(x[1], 0);
}

}  // namespace
}  // namespace orrery
