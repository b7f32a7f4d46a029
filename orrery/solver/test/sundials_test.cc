#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/solver/method.h"
#include "orrery/solver/problem/dae.h"
#include "orrery/solver/test/test_problems.h"

namespace orrery {
namespace {

using test::Circle;
using test::FunctionProblem;
using test::StepTo;

constexpr std::array kMethods = {
    Method::kCvodeBdf, Method::kCvodeAdams, Method::kIda};

TEST(SundialsTest, DenseOutputIsContinuousAndAccurate) {
  for (const Method method : kMethods) {
    FunctionProblem problem = Circle();
    const auto integrator =
        MakeIntegrator(method, problem, {.relative_tolerance = 1e-8});
    integrator->Restart(0, std::array{0.0, 1.0});
    while (integrator->t() < 10) {
      const double begin = integrator->t();
      const std::array x_begin = {integrator->x()[0], integrator->x()[1]};
      ASSERT_TRUE(integrator->Step(10).stepped());
      const DenseOutput& dense = integrator->dense();
      std::array<double, 2> x{};
      dense.Evaluate(begin, x);
      ASSERT_EQ(x, x_begin) << NameOf(method).name;
      dense.Evaluate(integrator->t(), x);
      ASSERT_NEAR(x[0], integrator->x()[0], 1e-14) << NameOf(method).name;
      const double middle = 0.5 * (begin + integrator->t());
      ASSERT_NEAR(dense.Evaluate(0, middle), std::sin(middle), 1e-5)
          << NameOf(method).name;
    }
    EXPECT_EQ(integrator->t(), 10);
    EXPECT_NEAR(integrator->x()[0], std::sin(10.0), 2e-6);
  }
}

TEST(SundialsTest, HitsEveryLimitExactly) {
  for (const Method method : kMethods) {
    FunctionProblem problem = Circle();
    const auto integrator = MakeIntegrator(method, problem, {});
    integrator->Restart(0, std::array{0.0, 1.0});
    for (const double limit : {0.1, 0.1 + 1e-15, 0.3, 1.0, 1.0 + 1e-12, 2.0}) {
      ASSERT_TRUE(StepTo(*integrator, limit).stepped()) << NameOf(method).name;
      ASSERT_EQ(integrator->t(), limit) << NameOf(method).name;
      ASSERT_NEAR(integrator->x()[0], std::sin(limit), 1e-4);
    }
  }
}

TEST(SundialsTest, BeginsWithAStepBelowRounding) {
  for (const Method method : {Method::kCvodeBdf, Method::kCvodeAdams}) {
    FunctionProblem problem = Circle();
    const auto integrator = MakeIntegrator(method, problem, {});
    integrator->Restart(1, std::array{0.0, 1.0});
    const double limit = std::nextafter(1.0, 2.0);
    ASSERT_TRUE(integrator->Step(limit).stepped()) << NameOf(method).name;
    EXPECT_EQ(integrator->t(), limit);
    EXPECT_EQ(integrator->dense().Evaluate(0, limit), integrator->x()[0]);
    ASSERT_TRUE(StepTo(*integrator, 2).stepped());
    EXPECT_NEAR(integrator->x()[0], std::sin(1.0), 1e-4);
  }
}

TEST(SundialsTest, BeginsWhereAStateIsZeroAndItsSlopeLarge) {
  for (const Method method : kMethods) {
    FunctionProblem problem{1, [](double, auto, std::span<double> slope) {
                              slope[0] = 1e4;
                              return Evaluation::kOk;
                            }};
    const auto integrator = MakeIntegrator(
        method,
        problem,
        {.relative_tolerance = 1e-9, .absolute_tolerances = {1e-12}});
    integrator->Restart(20, std::array{0.0});
    ASSERT_TRUE(StepTo(*integrator, 20.1).stepped()) << NameOf(method).name;
    EXPECT_NEAR(integrator->x()[0], 1000, 1e-9) << NameOf(method).name;
  }
}

TEST(SundialsTest, NamesTheStateThatBlowsUpAndEnds) {
  FunctionProblem problem(2, [](double, auto x, auto dx) {
    dx[0] = -x[0];
    dx[1] = x[1] * x[1];
    return Evaluation::kOk;
  });
  for (const Method method : kMethods) {
    const auto integrator = MakeIntegrator(method, problem, {});
    integrator->Restart(0, std::array{1.0, 1.0});
    const StepResult result = StepTo(*integrator, 2);
    EXPECT_EQ(result.outcome, StepOutcome::kStepTooSmall)
        << NameOf(method).name;
    EXPECT_EQ(result.index, 1) << NameOf(method).name;
    EXPECT_NEAR(integrator->t(), 1, 1e-3) << NameOf(method).name;
  }
}

TEST(SundialsTest, NamesTheDerivativeThatIsNotFinite) {
  FunctionProblem problem(2, [](double t, auto, auto dx) {
    dx[0] = 1;
    dx[1] = std::sqrt(1 - t);
    return Evaluation::kOk;
  });
  for (const Method method : kMethods) {
    const auto integrator = MakeIntegrator(method, problem, {});
    integrator->Restart(0, std::array{0.0, 0.0});
    const StepResult result = StepTo(*integrator, 2);
    EXPECT_THAT(
        result.outcome,
        testing::AnyOf(StepOutcome::kNotFinite, StepOutcome::kStepTooSmall))
        << NameOf(method).name;
    EXPECT_EQ(result.index, 1) << NameOf(method).name;
    EXPECT_NEAR(integrator->t(), 1, 1e-6) << NameOf(method).name;
  }
}

TEST(SundialsTest, StopsAtOnceWhereTheProblemFails) {
  FunctionProblem problem(1, [](double t, auto, auto dx) {
    dx[0] = 1;
    return t > 1 ? Evaluation::kFail : Evaluation::kOk;
  });
  for (const Method method : kMethods) {
    const auto integrator = MakeIntegrator(method, problem, {.max_step = 0.1});
    integrator->Restart(0, std::array{0.0});
    EXPECT_EQ(StepTo(*integrator, 2).outcome, StepOutcome::kEvaluationFailed)
        << NameOf(method).name;
  }
}

TEST(SundialsTest, AnExceptionOfTheProblemArrivesUnchanged) {
  FunctionProblem problem(1, [](double t, auto, auto dx) {
    if (t > 1) {
      throw std::out_of_range("table ends at 1");
    }
    dx[0] = 1;
    return Evaluation::kOk;
  });
  for (const Method method : kMethods) {
    const auto integrator = MakeIntegrator(method, problem, {.max_step = 0.1});
    integrator->Restart(0, std::array{0.0});
    try {
      (void)StepTo(*integrator, 2);
      FAIL() << NameOf(method).name;
    } catch (const std::out_of_range& error) {
      EXPECT_STREQ(error.what(), "table ends at 1");
    }
  }
}

TEST(SundialsTest, PrintsNothing) {
  FunctionProblem problem(1, [](double, auto x, auto dx) {
    dx[0] = x[0] * x[0];
    return Evaluation::kOk;
  });
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  for (const Method method : kMethods) {
    const auto integrator = MakeIntegrator(method, problem, {});
    integrator->Restart(0, std::array{1.0});
    EXPECT_FALSE(StepTo(*integrator, 2).stepped());
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(SundialsTest, RestartForgetsTheOldBranch) {
  // A ball thrown up anew at t = 1: exact for any method of order 2.
  FunctionProblem problem(2, [](double, auto x, auto dx) {
    dx[0] = x[1];
    dx[1] = -9.81;
    return Evaluation::kOk;
  });
  for (const Method method : kMethods) {
    const auto integrator =
        MakeIntegrator(method, problem, {.relative_tolerance = 1e-9});
    integrator->Restart(0, std::array{0.0, 5.0});
    ASSERT_TRUE(StepTo(*integrator, 1).stepped());
    integrator->Restart(1, std::array{0.0, 5.0});
    ASSERT_TRUE(StepTo(*integrator, 2).stepped());
    EXPECT_NEAR(integrator->x()[0], 5 - 0.5 * 9.81, 1e-6)
        << NameOf(method).name;
  }
}

class FunctionDae final : public DaeProblem {
 public:
  using Residuals = std::function<void(double,
                                       std::span<const double>,
                                       std::span<const double>,
                                       std::span<double>)>;

  FunctionDae(std::vector<std::uint8_t> differential,
              Residuals residual,
              SparsityPattern pattern = {})
      : differential_(std::move(differential)),
        residual_(std::move(residual)),
        pattern_(std::move(pattern)) {}

  [[nodiscard]] int dimension() const override {
    return static_cast<int>(differential_.size());
  }

  Evaluation Residual(double t,
                      std::span<const double> y,
                      std::span<const double> yp,
                      std::span<double> residual) override {
    residual_(t, y, yp, residual);
    return Evaluation::kOk;
  }

  [[nodiscard]] std::span<const std::uint8_t> differential() const override {
    return differential_;
  }

  [[nodiscard]] const SparsityPattern* jacobian_pattern() const override {
    return pattern_.columns > 0 ? &pattern_ : nullptr;
  }

 private:
  std::vector<std::uint8_t> differential_;
  Residuals residual_;
  SparsityPattern pattern_;
};

// Chemical Akzo Nobel problem, IVP Test Set (CWI/Bari).
TEST(IdaTest, SolvesTheAkzoProblem) {
  FunctionDae problem({1, 1, 1, 1, 1, 0}, [](double, auto y, auto yp, auto f) {
    const double root = std::sqrt(std::max(y[1], 0.0));
    const double r1 = 18.7 * std::pow(y[0], 4) * root;
    const double r2 = 0.58 * y[2] * y[3];
    const double r3 = 0.58 / 34.4 * y[0] * y[4];
    const double r4 = 0.09 * y[0] * y[3] * y[3];
    const double r5 = 0.42 * y[5] * y[5] * root;
    const double in = 3.3 * (0.9 / 737 - y[1]);
    f[0] = yp[0] - (-2 * r1 + r2 - r3 - r4);
    f[1] = yp[1] - (-0.5 * r1 - r4 - 0.5 * r5 + in);
    f[2] = yp[2] - (r1 - r2 + r3);
    f[3] = yp[3] - (-r2 + r3 - 2 * r4);
    f[4] = yp[4] - (r2 - r3 + r5);
    f[5] = 115.83 * y[0] * y[3] - y[5];
  });
  const auto integrator = MakeIntegrator(
      problem, {.relative_tolerance = 1e-10, .absolute_tolerances = {1e-14}});
  // The algebraic unknown starts from a wrong guess and is made consistent.
  integrator->Restart(0, std::array{0.444, 0.00123, 0.0, 0.007, 0.0, 0.1});
  ASSERT_TRUE(StepTo(*integrator, 180).stepped());
  constexpr std::array kReference = {0.1150794920661702,
                                     0.1203831471567715e-2,
                                     0.1611562887407974,
                                     0.3656156421249283e-3,
                                     0.1708010885264404e-1,
                                     0.4873531310307455e-2};
  for (std::size_t i = 0; i < kReference.size(); ++i) {
    EXPECT_NEAR(
        integrator->x()[i], kReference[i], std::max(1e-9, 1e-6 * kReference[i]))
        << i;
  }
}

// Transistor amplifier, IVP Test Set, with the voltages across the capacitors
// in place of y1, y4, y7, which makes it semi-explicit.
TEST(IdaTest, SolvesTheTransistorAmplifier) {
  // u = y1 - y2, y2, y3, w = y4 - y5, y5, y6, s = y7 - y8, y8.
  FunctionDae problem(
      {1, 0, 1, 1, 0, 1, 1, 0}, [](double t, auto z, auto zp, auto f) {
        const double y1 = z[0] + z[1];
        const double y4 = z[3] + z[4];
        const double y7 = z[6] + z[7];
        const double source = 0.1 * std::sin(200 * std::numbers::pi * t);
        const double g1 = 1e-6 * std::expm1((z[1] - z[2]) / 0.026);
        const double g2 = 1e-6 * std::expm1((z[4] - z[5]) / 0.026);
        const double f1 = (y1 - source) / 1000;
        const double f2 = -6.0 / 9000 + 2 * z[1] / 9000 + 0.01 * g1;
        const double f4 = (y4 - 6) / 9000 + 0.99 * g1;
        const double f5 = -6.0 / 9000 + 2 * z[4] / 9000 + 0.01 * g2;
        const double f7 = (y7 - 6) / 9000 + 0.99 * g2;
        f[0] = 1e-6 * zp[0] + f1;
        f[1] = f1 + f2;
        f[2] = 2e-6 * zp[2] + z[2] / 9000 - g1;
        f[3] = 3e-6 * zp[3] + f4;
        f[4] = f4 + f5;
        f[5] = 4e-6 * zp[5] + z[5] / 9000 - g2;
        f[6] = 5e-6 * zp[6] + f7;
        f[7] = f7 + z[7] / 9000;
      });
  const auto integrator = MakeIntegrator(
      problem, {.relative_tolerance = 1e-10, .absolute_tolerances = {1e-12}});
  integrator->Restart(0, std::array{-3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 6.0, 0.0});
  ASSERT_TRUE(StepTo(*integrator, 0.2).stepped());
  const auto z = integrator->x();
  const std::array y = {
      z[0] + z[1], z[1], z[2], z[3] + z[4], z[4], z[5], z[6] + z[7], z[7]};
  constexpr std::array kReference = {-0.5562145012262709e-2,
                                     0.3006522471903042e1,
                                     0.2849958788608128e1,
                                     0.2926422536206241e1,
                                     0.2704617865010554e1,
                                     0.2761837778393145e1,
                                     0.4770927631616772e1,
                                     0.1236995868091548e1};
  for (std::size_t i = 0; i < kReference.size(); ++i) {
    EXPECT_NEAR(
        y[i], kReference[i], std::max(1e-9, 1e-6 * std::abs(kReference[i])))
        << i;
  }
}

SparsityPattern TridiagonalPattern(int n) {
  SparsityPattern pattern{.rows = n, .columns = n, .column_starts = {0}};
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j - 1); i <= std::min(j + 1, n - 1); ++i) {
      pattern.row_indices.push_back(i);
    }
    pattern.column_starts.push_back(pattern.nonzeros());
  }
  return pattern;
}

// Heat in a rod of 60 cells, x_i' = x_{i-1} - 2 x_i + x_{i+1}: its slowest
// mode decays as exp(-(2 - 2 cos(pi / 61)) t).
TEST(IdaTest, DifferencesNeedAsManyEvaluationsAsThePatternColours) {
  constexpr std::size_t kCells = 60;
  const auto residual = [](double, auto y, auto yp, auto f) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double left = i > 0 ? y[i - 1] : 0;
      const double right = i + 1 < y.size() ? y[i + 1] : 0;
      f[i] = yp[i] - (left - 2 * y[i] + right);
    }
  };
  constexpr double kAngle = std::numbers::pi / (kCells + 1);
  std::vector<double> start;
  for (std::size_t i = 1; i <= kCells; ++i) {
    start.push_back(std::sin(kAngle * static_cast<double>(i)));
  }
  const auto run = [&](const SparsityPattern& pattern, LinearSolverKind kind) {
    FunctionDae problem(
        std::vector<std::uint8_t>(kCells, 1), residual, pattern);
    const auto integrator = MakeIntegrator(
        problem, {.relative_tolerance = 1e-8, .linear_solver = kind});
    integrator->Restart(0, start);
    EXPECT_TRUE(StepTo(*integrator, 100).stepped());
    EXPECT_NEAR(integrator->x()[29],
                start[29] * std::exp(-(2 - 2 * std::cos(kAngle)) * 100),
                1e-6);
    return integrator->statistics();
  };
  const IntegratorStatistics full = run({}, LinearSolverKind::kAutomatic);
  for (const LinearSolverKind kind : {LinearSolverKind::kAutomatic,
                                      LinearSolverKind::kDense,
                                      LinearSolverKind::kSparse}) {
    const IntegratorStatistics coloured = run(TridiagonalPattern(kCells), kind);
    EXPECT_EQ(coloured.jacobian_evaluations, full.jacobian_evaluations);
    EXPECT_EQ(full.rhs_evaluations - coloured.rhs_evaluations,
              full.jacobian_evaluations * (60 - 3));
  }
}

// The same rod with its equations in reverse: no diagonal to rely on.
TEST(IdaTest, SolvesSparseEquationsInAnyOrder) {
  constexpr int kCells = 60;
  SparsityPattern pattern = TridiagonalPattern(kCells);
  for (std::size_t j = 0; j < kCells; ++j) {
    const auto begin = pattern.row_indices.begin() + pattern.column_starts[j];
    const auto end = pattern.row_indices.begin() + pattern.column_starts[j + 1];
    std::reverse(begin, end);
    std::for_each(begin, end, [](int& row) { row = kCells - 1 - row; });
  }
  FunctionDae problem(
      std::vector<std::uint8_t>(kCells, 1),
      [](double, auto y, auto yp, auto f) {
        for (std::size_t i = 0; i < y.size(); ++i) {
          const double left = i > 0 ? y[i - 1] : 0;
          const double right = i + 1 < y.size() ? y[i + 1] : 0;
          f[y.size() - 1 - i] = yp[i] - (left - 2 * y[i] + right);
        }
      },
      pattern);
  constexpr double kAngle = std::numbers::pi / (kCells + 1);
  std::vector<double> start;
  for (int i = 1; i <= kCells; ++i) {
    start.push_back(std::sin(kAngle * i));
  }
  const auto integrator = MakeIntegrator(
      problem,
      {.relative_tolerance = 1e-8, .linear_solver = LinearSolverKind::kSparse});
  integrator->Restart(0, start);
  ASSERT_TRUE(StepTo(*integrator, 100).stepped());
  EXPECT_NEAR(integrator->x()[29],
              start[29] * std::exp(-(2 - 2 * std::cos(kAngle)) * 100),
              1e-7);
}

TEST(SundialsTest, MinimalStepEndsARunThatNeedsShorterOnes) {
  FunctionProblem problem(1, [](double, auto x, auto dx) {
    dx[0] = x[0] * x[0];
    return Evaluation::kOk;
  });
  for (const Method method : kMethods) {
    const auto reached = [&](double min_step) {
      const auto integrator =
          MakeIntegrator(method, problem, {.min_step = min_step});
      integrator->Restart(0, std::array{1.0});
      // The fixed-point iteration of Adams is the first to need shorter steps.
      EXPECT_THAT(StepTo(*integrator, 2).outcome,
                  testing::AnyOf(StepOutcome::kStepTooSmall,
                                 StepOutcome::kNoConvergence))
          << NameOf(method).name;
      return integrator->t();
    };
    EXPECT_LT(reached(1e-4), 0.9995) << NameOf(method).name;
    EXPECT_GT(reached(0), 0.9999) << NameOf(method).name;
  }
}

TEST(SundialsTest, MaximalStepIsNeverExceeded) {
  FunctionProblem problem(1, [](double, auto, auto dx) {
    dx[0] = 1;
    return Evaluation::kOk;
  });
  for (const Method method : kMethods) {
    const auto integrator = MakeIntegrator(method, problem, {.max_step = 0.3});
    integrator->Restart(0, std::array{0.0});
    while (integrator->t() < 5) {
      ASSERT_TRUE(integrator->Step(5).stepped());
      ASSERT_LE(integrator->statistics().last_step, 0.3 * (1 + 1e-12))
          << NameOf(method).name;
    }
    EXPECT_LT(integrator->statistics().steps, 60) << NameOf(method).name;
  }
}

TEST(IdaTest, NeedsToKnowWhichUnknownsAreDifferential) {
  class Wrong final : public DaeProblem {
   public:
    [[nodiscard]] int dimension() const override { return 2; }

    Evaluation Residual(double,
                        std::span<const double>,
                        std::span<const double>,
                        std::span<double>) override {
      return Evaluation::kOk;
    }

    [[nodiscard]] std::span<const std::uint8_t> differential() const override {
      return {};
    }
  };

  Wrong problem;
  try {
    (void)MakeIntegrator(problem, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot make an integrator: differential() has 0 elements, "
                 "the problem 2 unknowns; it needs one each");
  }
}

}  // namespace
}  // namespace orrery
