#include "orrery/solver/adaptive/rosenbrock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/count_allocations.h"
#include "orrery/solver/algebra/shifted_matrix.h"
#include "orrery/solver/method.h"
#include "orrery/solver/steps/jacobian.h"
#include "orrery/solver/test/test_problems.h"

namespace orrery {

namespace internal = solver::internal;

namespace {

using internal::Rodas5PTableau;
using test::Circle;
using test::FunctionProblem;
using test::StepTo;

using Matrix = std::array<std::array<double, 8>, 8>;

// The coefficients alpha and Gamma of the untransformed method, by Hairer &
// Wanner, Solving ODEs II, IV.7: C = diag(1 / gamma) - Gamma^{-1}, a = alpha
// Gamma^{-1}.
struct Untransformed {
  Matrix alpha{};
  Matrix gamma{};
  std::array<double, 8> weights{};
};

Untransformed Untransform() {
  Untransformed result;
  const double diagonal = Rodas5PTableau::kGamma;
  // Gamma^{-1} is lower triangular with 1 / gamma on its diagonal.
  Matrix inverse{};
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      inverse[i][j] = -Rodas5PTableau::kCoupling[i][j];
    }
    inverse[i][i] = 1 / diagonal;
  }
  for (std::size_t j = 0; j < 8; ++j) {
    for (std::size_t i = j; i < 8; ++i) {
      double sum = i == j ? 1 : 0;
      for (std::size_t k = j; k < i; ++k) {
        sum -= inverse[i][k] * result.gamma[k][j];
      }
      result.gamma[i][j] = sum * diagonal;
    }
  }
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      for (std::size_t k = 0; k < 8; ++k) {
        const double a = k < i ? Rodas5PTableau::kMatrix[i][k] : 0;
        result.alpha[i][j] += a * result.gamma[k][j];
        const double m = k < 7 ? Rodas5PTableau::kMatrix[7][k] : 1;
        result.weights[j] += i == 0 ? m * result.gamma[k][j] : 0;
      }
    }
  }
  return result;
}

TEST(Rodas5PTableauTest, SatisfiesTheOrderConditions) {
  // Solving ODEs II, table IV.7.1, up to order 4, with beta = alpha + gamma.
  const Untransformed m = Untransform();
  double order1 = 0;
  double order2 = 0;
  double order3a = 0;
  double order3b = 0;
  double order4a = 0;
  double order4d = 0;
  std::array<double, 8> beta{};
  std::array<double, 8> node{};
  std::array<double, 8> beta_beta{};
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      beta[i] += m.alpha[i][j] + m.gamma[i][j];
      node[i] += m.alpha[i][j];
    }
    EXPECT_NEAR(node[i], Rodas5PTableau::kNodes[i], 1e-12);
  }
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      beta_beta[i] += (m.alpha[i][j] + m.gamma[i][j]) * beta[j];
    }
  }
  for (std::size_t i = 0; i < 8; ++i) {
    const double b = m.weights[i];
    order1 += b;
    order2 += b * beta[i];
    order3a += b * node[i] * node[i];
    order3b += b * beta_beta[i];
    order4a += b * std::pow(node[i], 3);
    for (std::size_t j = 0; j < 8; ++j) {
      order4d += b * (m.alpha[i][j] + m.gamma[i][j]) * beta_beta[j];
    }
  }
  EXPECT_NEAR(order1, 1, 1e-12);
  EXPECT_NEAR(order2, 1.0 / 2, 1e-12);
  EXPECT_NEAR(order3a, 1.0 / 3, 1e-12);
  EXPECT_NEAR(order3b, 1.0 / 6, 1e-12);
  EXPECT_NEAR(order4a, 1.0 / 4, 1e-12);
  EXPECT_NEAR(order4d, 1.0 / 24, 1e-11);
}

TEST(Rodas5PTableauTest, TimeWeightsAreTheRowSumsOfGamma) {
  const Untransformed m = Untransform();
  for (std::size_t i = 0; i < 8; ++i) {
    double sum = 0;
    for (const double value : m.gamma[i]) {
      sum += value;
    }
    EXPECT_NEAR(sum, Rodas5PTableau::kTimeWeights[i], 1e-12) << i;
  }
}

// y' = cos(t + 0.3) y, y(0) = 1.
double ExactGrowth(double t) {
  return std::exp(std::sin(t + 0.3) - std::sin(0.3));
}

FunctionProblem::Parts Growth() {
  return {.dimension = 1,
          .rhs =
              [](double t, auto x, auto dx) {
                dx[0] = std::cos(t + 0.3) * x[0];
                return Evaluation::kOk;
              },
          .jacobian =
              [](double t, auto, auto j) {
                j[0] = std::cos(t + 0.3);
                return Evaluation::kOk;
              },
          .time_derivative =
              [](double t, auto x, auto d) {
                d[0] = -std::sin(t + 0.3) * x[0];
                return Evaluation::kOk;
              }};
}

std::unique_ptr<TimeIntegrator> WithStep(OdeProblem& problem, double h) {
  return MakeIntegrator(Method::kRosenbrock,
                        problem,
                        {.relative_tolerance = 0.99,
                         .absolute_tolerances = {1e3},
                         .initial_step = h,
                         .max_step = h});
}

double ErrorWithStep(const FunctionProblem::Parts& parts, double h) {
  FunctionProblem problem(parts);
  const auto integrator = WithStep(problem, h);
  integrator->Restart(0, std::array{1.0});
  EXPECT_TRUE(StepTo(*integrator, 2).stepped());
  return std::abs(integrator->x()[0] - ExactGrowth(2));
}

TEST(RosenbrockTest, ErrorFallsWithOrderFive) {
  EXPECT_NEAR(std::log2(ErrorWithStep(Growth(), 1.0 / 16) /
                        ErrorWithStep(Growth(), 1.0 / 32)),
              5,
              0.3);
}

TEST(RosenbrockTest, ErrorFallsWithOrderFiveWithDifferencesToo) {
  FunctionProblem::Parts parts = Growth();
  parts.jacobian = nullptr;
  parts.time_derivative = nullptr;
  EXPECT_NEAR(
      std::log2(ErrorWithStep(parts, 1.0 / 8) / ErrorWithStep(parts, 1.0 / 16)),
      5,
      0.3);
}

TEST(RosenbrockTest, DenseOutputHasOrderFour) {
  const auto error = [](double h) {
    FunctionProblem problem(Growth());
    const auto integrator = WithStep(problem, h);
    integrator->Restart(0, std::array{1.0});
    EXPECT_TRUE(integrator->Step(10).stepped());
    double worst = 0;
    for (int k = 0; k <= 20; ++k) {
      const double t = h * k / 20;
      worst = std::max(
          worst, std::abs(integrator->dense().Evaluate(0, t) - ExactGrowth(t)));
    }
    return worst;
  };
  EXPECT_NEAR(std::log2(error(0.05) / error(0.025)), 5, 0.2);
}

TEST(RosenbrockTest, DenseOutputMeetsTheStatesAtBothEnds) {
  FunctionProblem problem(Growth());
  const auto integrator = MakeIntegrator(Method::kRosenbrock, problem, {});
  integrator->Restart(0, std::array{1.0});
  while (integrator->t() < 5) {
    const double begin = integrator->t();
    const double x_begin = integrator->x()[0];
    ASSERT_TRUE(integrator->Step(5).stepped());
    EXPECT_EQ(integrator->dense().Evaluate(0, begin), x_begin);
    EXPECT_NEAR(integrator->dense().Evaluate(0, integrator->t()),
                integrator->x()[0],
                1e-14);
  }
}

// An event may leave a value equal to a threshold from which it now departs.
TEST(RosenbrockTest, DenseOutputHasTheSlopeAndTheBendOfTheStart) {
  FunctionProblem problem(Growth());
  const auto integrator = MakeIntegrator(Method::kRosenbrock, problem, {});
  integrator->Restart(0, std::array{1.0});
  ASSERT_TRUE(integrator->Step(5).stepped());
  const DenseOutput& dense = integrator->dense();
  const double h = dense.h();
  const double slope = std::cos(0.3);
  const double bend = slope * slope - std::sin(0.3);
  EXPECT_NEAR(dense.coefficients(1)[0] / h, slope, 1e-14);
  EXPECT_NEAR(dense.coefficients(2)[0] / (h * h / 2), bend, 1e-10);
  EXPECT_NEAR(dense.Evaluate(0, integrator->t()), integrator->x()[0], 1e-15);
}

TEST(RosenbrockTest, TakesFewStepsOnAStiffProblem) {
  // Prothero & Robinson: x' = -1e6 (x - cos t) - sin t.
  FunctionProblem problem({.dimension = 1,
                           .rhs =
                               [](double t, auto x, auto dx) {
                                 dx[0] =
                                     -1e6 * (x[0] - std::cos(t)) - std::sin(t);
                                 return Evaluation::kOk;
                               },
                           .jacobian =
                               [](double, auto, auto j) {
                                 j[0] = -1e6;
                                 return Evaluation::kOk;
                               },
                           .time_derivative =
                               [](double t, auto, auto d) {
                                 d[0] = -1e6 * std::sin(t) - std::cos(t);
                                 return Evaluation::kOk;
                               }});
  const auto integrator = MakeIntegrator(Method::kRosenbrock, problem, {});
  integrator->Restart(0, std::array{1.0});
  ASSERT_TRUE(StepTo(*integrator, 10).stepped());
  EXPECT_NEAR(integrator->x()[0], std::cos(10.0), 1e-6);
  EXPECT_LT(integrator->statistics().steps, 200);
}

// The end of a step is exact here, however long it is: dense output limits it.
TEST(RosenbrockTest, DenseOutputKeepsTheToleranceAtStrongStiffness) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    FunctionProblem problem({.dimension = 1,
                             .rhs =
                                 [](double t, auto x, auto dx) {
                                   dx[0] = -1e6 * (x[0] - std::cos(t)) -
                                           std::sin(t);
                                   return Evaluation::kOk;
                                 },
                             .jacobian =
                                 [](double, auto, auto j) {
                                   j[0] = -1e6;
                                   return Evaluation::kOk;
                                 }});
    const auto integrator = MakeIntegrator(
        Method::kRosenbrock,
        problem,
        {.relative_tolerance = tolerance, .absolute_tolerances = {tolerance}});
    integrator->Restart(0, std::array{1.0});
    double worst = 0;
    while (integrator->t() < 10) {
      const double begin = integrator->t();
      ASSERT_TRUE(integrator->Step(10).stepped());
      const double h = integrator->t() - begin;
      for (int k = 1; k < 10; ++k) {
        const double t = begin + 0.1 * k * h;
        const double error =
            std::abs(integrator->dense().Evaluate(0, t) - std::cos(t));
        worst = std::max(worst, error);
      }
    }
    EXPECT_LT(worst, 2 * tolerance);
    EXPECT_GT(worst, 0.1 * tolerance);  // It is not much too careful, either.
  }
}

// A delayed jump may arrive at its exact and at its rounded time. The error of
// the step between them is rounding and shows no trend.
TEST(RosenbrockTest, StepsThatLimitsCutToRoundingLeaveTheNextAsItIs) {
  FunctionProblem problem = Circle();
  const auto integrator = MakeIntegrator(Method::kRosenbrock, problem, {});
  integrator->Restart(0, std::array{1.0, 0.0});
  for (const double stop : {1.25, 1.25 + 5e-15, 1.35, 1.35 + 5e-15, 4.0}) {
    ASSERT_TRUE(StepTo(*integrator, stop).stepped());
  }
  EXPECT_NEAR(integrator->x()[0], std::cos(4.0), 1e-5);
  EXPECT_LT(integrator->statistics().steps, 60);
}

TEST(RosenbrockTest, StepsWithoutAllocating) {
  FunctionProblem problem = Circle();
  const auto integrator = MakeIntegrator(Method::kRosenbrock, problem, {});
  integrator->Restart(0, std::array{0.0, 1.0});
  (void)integrator->Step(100);
  (void)integrator->dense();
  const int before = CountAllocations();
  while (integrator->t() < 100) {
    (void)integrator->Step(100);
    (void)integrator->dense();
  }
  EXPECT_EQ(CountAllocations(), before);
}

TEST(RosenbrockTest, NamesTheStateThatBlowsUp) {
  FunctionProblem problem(2, [](double, auto x, auto dx) {
    dx[0] = -x[0];
    dx[1] = x[1] * x[1];
    return Evaluation::kOk;
  });
  const auto integrator = MakeIntegrator(Method::kRosenbrock, problem, {});
  integrator->Restart(0, std::array{1.0, 1.0});
  const StepResult result = StepTo(*integrator, 2);
  EXPECT_THAT(
      result.outcome,
      testing::AnyOf(StepOutcome::kStepTooSmall, StepOutcome::kNotFinite));
  EXPECT_EQ(result.index, 1);
}

// A tridiagonal pattern of dimension n.
SparsityPattern Tridiagonal(int n) {
  SparsityPattern pattern = {.rows = n, .columns = n, .column_starts = {0}};
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) {
      pattern.row_indices.push_back(i);
    }
    pattern.column_starts.push_back(pattern.nonzeros());
  }
  return pattern;
}

TEST(JacobianTest, ColouredDifferencesEqualTheExactJacobian) {
  constexpr int kSize = 60;
  FunctionProblem problem({.dimension = kSize,
                           .rhs =
                               [](double, auto x, auto dx) {
                                 for (std::size_t i = 0; i < kSize; ++i) {
                                   const double left = i > 0 ? x[i - 1] : 0;
                                   const double right =
                                       i + 1 < kSize ? x[i + 1] : 0;
                                   dx[i] = left * x[i] + std::sin(right);
                                 }
                                 return Evaluation::kOk;
                               },
                           .pattern = Tridiagonal(kSize)});
  IntegratorStatistics statistics;
  internal::Evaluator evaluator(problem, statistics);
  internal::JacobianEvaluator jacobian(
      evaluator, internal::Tolerances(SolverOptions{}, kSize));
  std::vector<double> x(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    x[i] = 1 + 0.1 * static_cast<double>(i);
  }
  std::vector<double> slope(kSize);
  ASSERT_EQ(evaluator.Derivative(0, x, slope), Evaluation::kOk);
  ASSERT_EQ(jacobian.Evaluate(0, x, slope), Evaluation::kOk);
  EXPECT_EQ(statistics.rhs_evaluations, 4);
  const SparsityPattern pattern = Tridiagonal(kSize);
  for (std::size_t j = 0; j < kSize; ++j) {
    for (auto k = static_cast<std::size_t>(pattern.column_starts[j]);
         k < static_cast<std::size_t>(pattern.column_starts[j + 1]);
         ++k) {
      const auto i = static_cast<std::size_t>(pattern.row_indices[k]);
      const double exact = j + 1 == i ? x[i]
                           : j == i   ? (i > 0 ? x[i - 1] : 0)
                                      : std::cos(x[j]);
      EXPECT_NEAR(jacobian.values()[k], exact, 1e-6) << i << " " << j;
    }
  }
}

TEST(ShiftedMatrixTest, RecognisesDiagonalsAndBandsInAnyOrder) {
  const auto kind_of = [](const SparsityPattern& pattern) {
    return internal::ShiftedMatrix(
               pattern.columns, &pattern, LinearSolverKind::kAutomatic)
        .kind();
  };
  const SparsityPattern diagonal{.rows = 3,
                                 .columns = 3,
                                 .column_starts = {0, 1, 2, 3},
                                 .row_indices = {0, 1, 2}};
  EXPECT_EQ(kind_of(diagonal), LinearSolverKind::kBand);
  EXPECT_EQ(kind_of(Tridiagonal(8)), LinearSolverKind::kDense);
  EXPECT_EQ(kind_of(Tridiagonal(100)), LinearSolverKind::kBand);
  // Two chains, one after the other, and each element with its twin.
  constexpr int kHalf = 60;
  SparsityPattern twins{.rows = 2 * kHalf, .columns = 2 * kHalf};
  twins.column_starts.push_back(0);
  for (int j = 0; j < 2 * kHalf; ++j) {
    for (int i = 0; i < 2 * kHalf; ++i) {
      const bool is_chain = i / kHalf == j / kHalf && std::abs(i - j) <= 1;
      if (is_chain || std::abs(i - j) == kHalf) {
        twins.row_indices.push_back(i);
      }
    }
    twins.column_starts.push_back(twins.nonzeros());
  }
  EXPECT_EQ(kind_of(twins), LinearSolverKind::kBand);
}

TEST(ShiftedMatrixTest, AllKindsSolveAlike) {
  constexpr int kSize = 100;
  const SparsityPattern pattern = Tridiagonal(kSize);
  std::vector<double> values(pattern.row_indices.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = std::sin(static_cast<double>(k));
  }
  internal::ShiftedMatrix dense(kSize, &pattern, LinearSolverKind::kDense);
  internal::ShiftedMatrix band(kSize, &pattern, LinearSolverKind::kBand);
  internal::ShiftedMatrix sparse(kSize, &pattern, LinearSolverKind::kSparse);
  for (const double shift : {5.0, 1.5, -0.3, 100.0}) {
    std::vector<double> a(kSize, 1.0);
    ASSERT_TRUE(dense.Factor(shift, values));
    dense.Solve(a);
    for (internal::ShiftedMatrix* const other : {&band, &sparse}) {
      std::vector<double> b(kSize, 1.0);
      ASSERT_TRUE(other->Factor(shift, values));
      other->Solve(b);
      for (std::size_t i = 0; i < kSize; ++i) {
        EXPECT_NEAR(a[i], b[i], 1e-9 * (1 + std::abs(a[i]))) << shift;
      }
    }
  }
}

TEST(ShiftedMatrixTest, SaysThatASparseMatrixIsSingular) {
  constexpr int kSize = 50;
  const SparsityPattern pattern = Tridiagonal(kSize);
  const std::vector<double> zeros(pattern.row_indices.size());
  internal::ShiftedMatrix matrix(kSize, &pattern, LinearSolverKind::kSparse);
  EXPECT_FALSE(matrix.Factor(0, zeros));
  EXPECT_TRUE(matrix.Factor(2, zeros));
  std::vector<double> b(kSize, 1.0);
  matrix.Solve(b);
  EXPECT_EQ(b[7], 0.5);
}

}  // namespace
}  // namespace orrery
