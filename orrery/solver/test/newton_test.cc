#include "orrery/solver/algebra/newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/test/count_allocations.h"

namespace orrery {
namespace {

using Function =
    std::function<void(std::span<const double>, std::span<double>)>;

// F and its Jacobian, by columns.
class FunctionSystem final : public NewtonProblem {
 public:
  FunctionSystem(Function residual, Function jacobian)
      : residual_(std::move(residual)), jacobian_(std::move(jacobian)) {}

  Evaluation Residual(std::span<const double> z,
                      std::span<double> residual) override {
    residual_(z, residual);
    return Evaluation::kOk;
  }

  Evaluation Jacobian(std::span<const double> z,
                      std::span<double> values) override {
    jacobian_(z, values);
    return Evaluation::kOk;
  }

 private:
  Function residual_;
  Function jacobian_;
};

// Solves one equation in one unknown.
std::pair<NewtonResult, double> SolveScalar(
    const std::function<double(double)>& f,
    const std::function<double(double)>& slope,
    double guess) {
  FunctionSystem problem([&](auto z, auto r) { r[0] = f(z[0]); },
                         [&](auto z, auto j) { j[0] = slope(z[0]); });
  NewtonSolver solver(1);
  std::array<double, 1> z = {guess};
  const NewtonResult result = solver.Solve(problem, z);
  return {result, z[0]};
}

// Loop A9 of the acceptance tables.
TEST(NewtonTest, SolvesTheCosineLoopToRounding) {
  const auto [result, x] = SolveScalar([](double z) { return z - std::cos(z); },
                                       [](double z) { return 1 + std::sin(z); },
                                       0);
  EXPECT_EQ(result.outcome, NewtonOutcome::kConverged);
  EXPECT_NEAR(x, 0.739085133215160641655, 2e-16);
  EXPECT_LE(result.iterations, 6);
}

// z[0] is 0, and terms of up to 1e5 cancel in its equation: its rounding is
// never small beside itself, and changes from step to step.
TEST(NewtonTest, EndsWhereTermsCancelToRounding) {
  for (const double factor : {1e3, 1e4, 1e5}) {
    for (int k = 1; k <= 300; ++k) {
      FunctionSystem problem(
          [=](auto z, auto r) {
            r[0] = z[0] - factor * (z[1] * z[2] - k);
            r[1] = z[1] * z[1] * z[2] - k * std::sqrt(k + z[0]);
            r[2] = z[1] - z[2] + z[0];
          },
          [=](auto z, auto j) {
            const std::array values = {1.0,
                                       -k / (2 * std::sqrt(k + z[0])),
                                       1.0,
                                       -factor * z[2],
                                       2 * z[1] * z[2],
                                       1.0,
                                       -factor * z[1],
                                       z[1] * z[1],
                                       -1.0};
            for (std::size_t i = 0; i < 9; ++i) {
              j[i] = values[i];
            }
          });
      NewtonSolver solver(3);
      std::array<double, 3> z = {0.1, 1 + std::sqrt(k), 1 + std::sqrt(k)};
      EXPECT_EQ(solver.Solve(problem, z).outcome, NewtonOutcome::kConverged)
          << factor << " " << k;
      EXPECT_NEAR(z[0], 0, 1e-15 * factor * k);
      EXPECT_NEAR(z[1], std::sqrt(k), 1e-13 * k);
    }
  }
}

TEST(NewtonTest, SolvesTheExponentialLoopToRounding) {
  const auto [result, x] =
      SolveScalar([](double z) { return z - std::exp(-z); },
                  [](double z) { return 1 + std::exp(-z); },
                  0);
  EXPECT_EQ(result.outcome, NewtonOutcome::kConverged);
  EXPECT_NEAR(x, 0.567143290409783872999, 2e-16);
}

// Loop A7: a1 = 4 + a2, a2 = 2 + s, s = sqrt(a1).
TEST(NewtonTest, SolvesTheSquareRootLoop) {
  FunctionSystem problem(
      [](auto z, auto r) {
        r[0] = z[0] - 4 - z[1];
        r[1] = z[1] - 2 - z[2];
        r[2] = z[2] - std::sqrt(z[0]);
      },
      [](auto z, auto j) {
        std::ranges::fill(j, 0.0);
        j[0] = 1;
        j[2] = -0.5 / std::sqrt(z[0]);
        j[3] = -1;
        j[4] = 1;
        j[7] = -1;
        j[8] = 1;
      });
  NewtonSolver solver(3);
  std::array<double, 3> z = {1, 1, 1};
  EXPECT_EQ(solver.Solve(problem, z).outcome, NewtonOutcome::kConverged);
  EXPECT_NEAR(z[0], 9, 1e-14);
  EXPECT_NEAR(z[1], 5, 1e-14);
  EXPECT_NEAR(z[2], 3, 1e-14);
}

// Loop A8: p = a1 a2, a1 = 10 + p, a2 = 15 + p has complex solutions only.
TEST(NewtonTest, SaysThatThereIsNoRealSolution) {
  FunctionSystem problem(
      [](auto z, auto r) {
        r[0] = z[0] - z[1] * z[2];
        r[1] = z[1] - 10 - z[0];
        r[2] = z[2] - 15 - z[0];
      },
      [](auto z, auto j) {
        std::ranges::fill(j, 0.0);
        j[0] = 1;
        j[1] = -1;
        j[2] = -1;
        j[3] = -z[2];
        j[4] = 1;
        j[6] = -z[1];
        j[8] = 1;
      });
  NewtonSolver solver(3);
  for (const double guess : {0.0, 1.0, -10.0, 100.0}) {
    std::array<double, 3> z = {guess, 10 + guess, 15 + guess};
    const NewtonResult result = solver.Solve(problem, z);
    EXPECT_THAT(result.outcome,
                testing::AnyOf(NewtonOutcome::kNoConvergence,
                               NewtonOutcome::kSingular));
    EXPECT_EQ(result.equation, 0);
    EXPECT_LE(result.iterations, 400);
  }
}

// Loop A10: x = y + 1, y = x.
TEST(NewtonTest, NamesTheColumnOfASingularSystem) {
  FunctionSystem problem(
      [](auto z, auto r) {
        r[0] = z[0] - z[1] - 1;
        r[1] = z[1] - z[0];
      },
      [](auto, auto j) {
        j[0] = 1;
        j[1] = -1;
        j[2] = -1;
        j[3] = 1;
      });
  NewtonSolver solver(2);
  std::array<double, 2> z = {0, 0};
  const NewtonResult result = solver.Solve(problem, z);
  EXPECT_EQ(result.outcome, NewtonOutcome::kSingular);
  EXPECT_EQ(result.unknown, 1);
  EXPECT_EQ(result.equation, 0);
}

TEST(NewtonTest, DampsStepsThatWouldDiverge) {
  // Undamped, atan diverges from |z| > 1.39.
  for (const double guess : {2.0, 10.0, -1e3, 1e4}) {
    const auto [result, x] =
        SolveScalar([](double z) { return std::atan(z); },
                    [](double z) { return 1 / (1 + z * z); },
                    guess);
    EXPECT_EQ(result.outcome, NewtonOutcome::kConverged) << guess;
    EXPECT_NEAR(x, 0, 1e-20) << guess;
  }
}

TEST(NewtonTest, StaysInTheDomain) {
  // log z = 0 from 20: a full step leads to z < 0.
  const auto [result, x] = SolveScalar(
      [](double z) { return std::log(z); }, [](double z) { return 1 / z; }, 20);
  EXPECT_EQ(result.outcome, NewtonOutcome::kConverged);
  EXPECT_NEAR(x, 1, 1e-15);
}

TEST(NewtonTest, SaysWhereTheGuessCannotBeEvaluated) {
  const auto [result, x] = SolveScalar(
      [](double z) { return std::log(z); }, [](double z) { return 1 / z; }, -1);
  EXPECT_EQ(result.outcome, NewtonOutcome::kEvaluationFailed);
  EXPECT_EQ(result.equation, 0);
  EXPECT_EQ(x, -1);
}

TEST(NewtonTest, SolvesRosenbrocksValley) {
  FunctionSystem problem(
      [](auto z, auto r) {
        r[0] = 10 * (z[1] - z[0] * z[0]);
        r[1] = 1 - z[0];
      },
      [](auto z, auto j) {
        j[0] = -20 * z[0];
        j[1] = -1;
        j[2] = 10;
        j[3] = 0;
      });
  NewtonSolver solver(2);
  std::array<double, 2> z = {-1.2, 1};
  EXPECT_EQ(solver.Solve(problem, z).outcome, NewtonOutcome::kConverged);
  EXPECT_NEAR(z[0], 1, 1e-15);
  EXPECT_NEAR(z[1], 1, 1e-15);
}

// More, Garbow & Hillstrom, ACM TOMS 7 (1981) 17-41, problem 3.
TEST(NewtonTest, SolvesPowellsBadlyScaledSystem) {
  FunctionSystem problem(
      [](auto z, auto r) {
        r[0] = 1e4 * z[0] * z[1] - 1;
        r[1] = std::exp(-z[0]) + std::exp(-z[1]) - 1.0001;
      },
      [](auto z, auto j) {
        j[0] = 1e4 * z[1];
        j[1] = -std::exp(-z[0]);
        j[2] = 1e4 * z[0];
        j[3] = -std::exp(-z[1]);
      });
  NewtonSolver solver(2);
  std::array<double, 2> z = {0, 1};
  const NewtonResult result = solver.Solve(problem, z);
  EXPECT_EQ(result.outcome, NewtonOutcome::kConverged);
  EXPECT_NEAR(z[0], 1.09815933e-5, 1e-13);
  EXPECT_NEAR(z[1], 9.10614674, 1e-8);
}

TEST(NewtonTest, SolvesADiodeAcrossASourceThroughAResistor) {
  // (5 - v) / 1000 = 1e-12 (exp(v / 0.025) - 1): v = 0.5529...
  const auto f = [](double v) {
    return (5 - v) / 1000 - 1e-12 * std::expm1(v / 0.025);
  };
  const auto slope = [](double v) {
    return -1e-3 - 4e-11 * std::exp(v / 0.025);
  };
  for (const double guess : {0.0, 5.0, -3.0}) {
    const auto [result, v] = SolveScalar(f, slope, guess);
    EXPECT_EQ(result.outcome, NewtonOutcome::kConverged) << guess;
    EXPECT_NEAR(f(v), 0, 1e-16) << guess;
  }
}

TEST(NewtonTest, SolvesForTinyUnknownsRelativeToThemselves) {
  // Far below the nominal value of 1.
  const auto [result, x] = SolveScalar([](double z) { return z * z - 1e-10; },
                                       [](double z) { return 2 * z; },
                                       1);
  EXPECT_EQ(result.outcome, NewtonOutcome::kConverged);
  EXPECT_NEAR(x, 1e-5, 1e-19);
}

TEST(NewtonTest, TakesTinyStepsNearAnInfiniteSlopeForNoSolution) {
  const auto [result, x] =
      SolveScalar([](double v) { return std::pow(v, 0.2) - 0.02; },
                  [](double v) { return 0.2 * std::pow(v, -0.8); },
                  1e-15);
  EXPECT_EQ(result.outcome, NewtonOutcome::kConverged);
  EXPECT_NEAR(x, 3.2e-9, 1e-22);
}

// Steps beside a pole are tiny, too: x, x/2 and x/3 for 1/x, 1/x^2 and 1/x^3.
TEST(NewtonTest, TakesAPoleForNoSolution) {
  for (const int order : {1, 2, 3}) {
    const auto [result, x] = SolveScalar(
        [order](double z) { return order % 2 * z + std::pow(z, -order); },
        [order](double z) {
          return order % 2 - order * std::pow(z, -order - 1);
        },
        4e-16);
    EXPECT_NE(result.outcome, NewtonOutcome::kConverged) << order;
  }
  const auto [result, x] = SolveScalar([](double z) { return z - 4 / z; },
                                       [](double z) { return 1 + 4 / (z * z); },
                                       4e-16);
  EXPECT_EQ(result.outcome, NewtonOutcome::kConverged);
  EXPECT_EQ(x, 2);
}

TEST(NewtonTest, ASolutionMayHaveNoSlope) {
  const auto [result, x] =
      SolveScalar([](double v) { return std::sqrt(v); },
                  [](double v) { return 0.5 / std::sqrt(v); },
                  1);
  EXPECT_EQ(result.outcome, NewtonOutcome::kConverged);
  EXPECT_EQ(x, 0);
}

TEST(NewtonTest, ReachesADoubleRootLinearly) {
  const auto [result, x] =
      SolveScalar([](double z) { return (z - 1) * (z - 1); },
                  [](double z) { return 2 * (z - 1); },
                  3);
  EXPECT_THAT(
      result.outcome,
      testing::AnyOf(NewtonOutcome::kConverged, NewtonOutcome::kSingular));
  EXPECT_NEAR(x, 1, 1e-7);
}

TEST(NewtonTest, StopsAfterTheLastIteration) {
  FunctionSystem problem([](auto z, auto r) { r[0] = std::exp(z[0]); },
                         [](auto z, auto j) { j[0] = std::exp(z[0]); });
  NewtonSolver solver(1, {.max_iterations = 7});
  std::array<double, 1> z = {0};
  const NewtonResult result = solver.Solve(problem, z);
  EXPECT_EQ(result.outcome, NewtonOutcome::kNoConvergence);
  EXPECT_EQ(result.iterations, 7);
}

TEST(NewtonTest, AllocatesNothing) {
  FunctionSystem problem([](auto z, auto r) { r[0] = z[0] - std::cos(z[0]); },
                         [](auto z, auto j) { j[0] = 1 + std::sin(z[0]); });
  NewtonSolver solver(1);
  std::array<double, 1> z = {0};
  const int before = CountAllocations();
  (void)solver.Solve(problem, z);
  EXPECT_EQ(CountAllocations(), before);
}

// Scaling rows and columns by powers of two does not change the iterates: the
// method is affine invariant, and so is our scaling.
RC_GTEST_PROP(NewtonTest, IsIndifferentToTheScaleOfEquations, ()) {
  const int power0 = *rc::gen::inRange(-40, 40);
  const int power1 = *rc::gen::inRange(-40, 40);
  const auto solve = [](double scale0, double scale1) {
    FunctionSystem problem(
        [=](auto z, auto r) {
          r[0] = scale0 * (z[0] * z[0] + z[1] - 11);
          r[1] = scale1 * (z[0] + z[1] * z[1] - 7);
        },
        [=](auto z, auto j) {
          j[0] = scale0 * 2 * z[0];
          j[1] = scale1;
          j[2] = scale0;
          j[3] = scale1 * 2 * z[1];
        });
    NewtonSolver solver(2);
    std::array<double, 2> z = {20, -15};
    const NewtonResult result = solver.Solve(problem, z);
    RC_ASSERT(result.outcome == NewtonOutcome::kConverged);
    return std::pair(z, result.iterations);
  };
  RC_ASSERT(solve(std::ldexp(1, power0), std::ldexp(1, power1)) == solve(1, 1));
}

// z_i^3 + 2 z_i - z_{i-1} - z_{i+1} = b_i with the solution z_i = sin(i).
TEST(NewtonTest, SolvesALargeSparseSystemToRounding) {
  constexpr std::size_t kSize = 500;
  SparsityPattern pattern{
      .rows = kSize, .columns = kSize, .column_starts = {0}, .row_indices = {}};
  for (int j = 0; j < pattern.columns; ++j) {
    for (int i = std::max(j - 1, 0); i <= std::min(j + 1, pattern.rows - 1);
         ++i) {
      pattern.row_indices.push_back(i);
    }
    pattern.column_starts.push_back(pattern.nonzeros());
  }
  const auto left = [](std::span<const double> z, std::size_t i) {
    const double before = i > 0 ? z[i - 1] : 0;
    const double after = i + 1 < z.size() ? z[i + 1] : 0;
    return z[i] * z[i] * z[i] + 2 * z[i] - before - after;
  };
  std::vector<double> solution;
  for (std::size_t i = 0; i < kSize; ++i) {
    solution.push_back(std::sin(static_cast<double>(i)));
  }
  FunctionSystem problem(
      [&](auto z, auto r) {
        for (std::size_t i = 0; i < kSize; ++i) {
          r[i] = left(z, i) - left(solution, i);
        }
      },
      [&](auto z, auto values) {
        std::size_t k = 0;
        for (std::size_t j = 0; j < kSize; ++j) {
          for (std::size_t i = j > 0 ? j - 1 : 0;
               i <= std::min(j + 1, kSize - 1);
               ++i) {
            values[k++] = i == j ? 3 * z[j] * z[j] + 2 : -1;
          }
        }
      });
  NewtonSolver solver(kSize, {}, &pattern);
  std::vector<double> z(kSize, 0.5);
  ASSERT_EQ(solver.Solve(problem, z).outcome, NewtonOutcome::kConverged);
  for (std::size_t i = 0; i < kSize; ++i) {
    ASSERT_NEAR(z[i], solution[i], 1e-12);
  }

  // Near the solution the factors of one matrix suffice, with the same
  // rounding.
  for (std::size_t i = 0; i < kSize; ++i) {
    z[i] = solution[i] + 1e-6 * std::cos(static_cast<double>(7 * i));
  }
  const NewtonResult nearby = solver.Solve(problem, z);
  ASSERT_EQ(nearby.outcome, NewtonOutcome::kConverged);
  EXPECT_EQ(nearby.iterations, 1);
  for (std::size_t i = 0; i < kSize; ++i) {
    ASSERT_NEAR(z[i], solution[i], 1e-12);
  }
}

// x = cos(y)/2 and y = sin(x)/2 + 1.
TEST(NewtonTest, ACostlyJacobianIsEvaluatedLessOftenForTheSameSolution) {
  const auto solve = [](bool is_costly) {
    int jacobians = 0;
    FunctionSystem problem(
        [](auto z, auto r) {
          r[0] = z[0] - std::cos(z[1]) / 2;
          r[1] = z[1] - std::sin(z[0]) / 2 - 1;
        },
        [&](auto z, auto values) {
          ++jacobians;
          values[0] = 1;
          values[1] = -std::cos(z[0]) / 2;
          values[2] = std::sin(z[1]) / 2;
          values[3] = 1;
        });
    NewtonSolver solver(2, {.has_costly_jacobian = is_costly});
    std::array<double, 2> z = {0.2, 1.1};
    EXPECT_EQ(solver.Solve(problem, z).outcome, NewtonOutcome::kConverged);
    EXPECT_NEAR(z[0], std::cos(z[1]) / 2, 3e-16);
    EXPECT_NEAR(z[1], std::sin(z[0]) / 2 + 1, 3e-16);
    return std::pair(jacobians, z);
  };
  const auto [cheap, usual] = solve(false);
  const auto [costly, other] = solve(true);
  EXPECT_LT(costly, cheap);
  EXPECT_NEAR(other[0], usual[0], 3e-16);
  EXPECT_NEAR(other[1], usual[1], 3e-16);
}

// p = 1000 i and y(p) = p + 1000 i, where y = 15000 (p + 7.4993), but no less
// than -15: below the kink, at p = -7.5003, p would be -7.5, above it. A step
// over it is followed by a tiny one back.
TEST(NewtonTest, AKinkWithoutASolutionIsNotTakenForOne) {
  for (const double shift : {7.49915, 7.49927450426, 7.4993}) {
    FunctionSystem problem(
        [shift](std::span<const double> z, std::span<double> r) {
          r[0] = z[0] - 1000 * z[1];
          r[1] = std::max(-15.0, 15000 * (z[0] + shift)) - z[0] - 1000 * z[1];
        },
        [shift](std::span<const double> z, std::span<double> j) {
          const bool is_limited = 15000 * (z[0] + shift) < -15;
          j[0] = 1;
          j[1] = (is_limited ? 0 : 15000) - 1;
          j[2] = -1000;
          j[3] = -1000;
        });
    std::vector<double> z = {-7.5, -0.0075};
    NewtonSolver solver(2);
    EXPECT_NE(solver.Solve(problem, z).outcome, NewtonOutcome::kConverged)
        << shift;
  }
}

}  // namespace
}  // namespace orrery
