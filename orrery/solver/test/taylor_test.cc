// Integration by Taylor series that are written by hand.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/solver/method.h"
#include "orrery/solver/test/test_problems.h"

namespace orrery {
namespace {

using test::StepTo;

// x' = -x^2, whose series has the radius of convergence 1/|x|: x = 1/(1 + t).
class Decay final : public OdeProblem {
 public:
  explicit Decay(SeriesKind kind = SeriesKind::kSmooth) : kind_(kind) {}

  [[nodiscard]] int dimension() const override { return 1; }

  Evaluation Derivative(double /*t*/,
                        std::span<const double> x,
                        std::span<double> dx) override {
    dx[0] =
        x[0] < least_ ? std::numeric_limits<double>::quiet_NaN() : -x[0] * x[0];
    return Evaluation::kOk;
  }

  [[nodiscard]] SeriesKind series() override { return kind_; }

  Evaluation Series(double /*t*/,
                    std::span<const double> x,
                    double h,
                    int order,
                    SeriesRows& rows) override {
    most_order_ = std::max(most_order_, order);
    series_ = {x[0] < least_ ? std::numeric_limits<double>::quiet_NaN() : x[0]};
    for (int k = 1; k <= order; ++k) {
      series_.push_back(-series_.back() * x[0] * h);
    }
    rows = {.begin = series_.data(), .stride = 1};
    return Evaluation::kOk;
  }

  // f is not defined for x below it.
  void set_least(double x) { least_ = x; }

  [[nodiscard]] int most_order() const { return most_order_; }

 private:
  SeriesKind kind_;
  double least_ = -1e300;
  int most_order_ = 0;
  std::vector<double> series_;
};

// Starts from x(0) = 1, with tolerances down to the last digit.
std::unique_ptr<TimeIntegrator> StartPrecisely(OdeProblem& problem) {
  auto integrator = MakeIntegrator(
      Method::kTaylor,
      problem,
      {.relative_tolerance = 1e-15, .absolute_tolerances = {1e-30}});
  integrator->Restart(0, std::vector<double>{1});
  return integrator;
}

TEST(TaylorIntegratorTest, OrderAndStepFollowFromTheTolerance) {
  Decay problem;
  const auto integrator = StartPrecisely(problem);
  ASSERT_TRUE(integrator->Step(100).stepped());
  EXPECT_EQ(problem.most_order(), 24);  // 7 - 0.5*log(1e-15) = 24.3
  // Jorba & Zou (2005), eq. (3-10) to (3-13); the radius of convergence is 1.
  const double length = std::pow(1e-15, 1.0 / 23) * std::exp(-0.7 / 23);
  constexpr double kOfPower = 0.0022 + 0.061 / 23;  // Error of Power().
  EXPECT_NEAR(integrator->t() / length, 1, kOfPower);
}

TEST(TaylorIntegratorTest, ItIsAsGoodAsNumbersAre) {
  Decay problem;
  const auto integrator = StartPrecisely(problem);
  ASSERT_TRUE(StepTo(*integrator, 7).stepped());
  EXPECT_NEAR(integrator->x()[0], 0.125, 3e-17);
}

TEST(TaylorIntegratorTest, StepsAreNotTriedInVain) {
  Decay problem;
  const auto integrator =
      MakeIntegrator(Method::kTaylor, problem, {.relative_tolerance = 1e-12});
  integrator->Restart(0, std::vector<double>{1});
  ASSERT_TRUE(StepTo(*integrator, 1000).stepped());
  EXPECT_EQ(integrator->statistics().rejected_steps, 0);
  EXPECT_EQ(integrator->statistics().method, "taylor");
  EXPECT_NEAR(integrator->x()[0], 1.0 / 1001, 1e-9);
}

TEST(TaylorIntegratorTest, TheSeriesIsTheDenseOutput) {
  Decay problem;
  const auto integrator = MakeIntegrator(
      Method::kTaylor,
      problem,
      {.relative_tolerance = 1e-12, .absolute_tolerances = {1e-12}});
  integrator->Restart(0, std::vector<double>{1});
  for (int i = 0; i < 5; ++i) {
    const double begin = integrator->t();
    ASSERT_TRUE(integrator->Step(100).stepped());
    const double h = integrator->t() - begin;
    for (const double theta : {0.0, 0.3, 0.7, 1.0}) {
      const double t = begin + theta * h;
      EXPECT_NEAR(integrator->dense().Evaluate(0, t), 1 / (1 + t), 1e-12);
    }
  }
}

TEST(TaylorIntegratorTest, AnyUnitOfTimeWillDo) {
  // Coefficients in seconds would be of the size 1e400.
  Decay problem;
  const auto integrator = MakeIntegrator(
      Method::kTaylor,
      problem,
      {.relative_tolerance = 1e-15, .absolute_tolerances = {1e-6}});
  integrator->Restart(0, std::vector<double>{1e22});
  ASSERT_TRUE(StepTo(*integrator, 1e-21).stepped());
  EXPECT_NEAR(integrator->x()[0], 1e22 / 11, 1e8);
}

TEST(TaylorIntegratorTest, LimitsOfTheStepHold) {
  Decay problem;
  const auto integrator =
      MakeIntegrator(Method::kTaylor, problem, {.max_step = 0.01});
  integrator->Restart(0, std::vector<double>{1});
  ASSERT_TRUE(StepTo(*integrator, 1).stepped());
  EXPECT_EQ(integrator->t(), 1);
  EXPECT_GE(integrator->statistics().steps, 99);
  EXPECT_LE(integrator->statistics().last_step, 0.0101);

  const auto impatient =
      MakeIntegrator(Method::kTaylor, problem, {.min_step = 10});
  impatient->Restart(0, std::vector<double>{1});
  EXPECT_EQ(impatient->Step(100).outcome, StepOutcome::kStepTooSmall);
}

TEST(TaylorIntegratorTest, APoleEndsTheRunNearIt) {
  Decay problem;
  const auto integrator = MakeIntegrator(Method::kTaylor, problem, {});
  integrator->Restart(0, std::vector<double>{-1});  // -1 / (1 - t)
  const StepResult result = StepTo(*integrator, 2);
  EXPECT_EQ(result.outcome, StepOutcome::kStepTooSmall);
  EXPECT_EQ(result.index, 0);
  EXPECT_NEAR(integrator->t(), 1, 1e-6);
}

TEST(TaylorIntegratorTest, NoStepLeadsToWhereTheProblemIsNotDefined) {
  Decay problem;
  problem.set_least(0.5);
  const auto integrator = MakeIntegrator(Method::kTaylor, problem, {});
  integrator->Restart(0, std::vector<double>{1});
  EXPECT_EQ(StepTo(*integrator, 2).outcome, StepOutcome::kNotFinite);
  EXPECT_NEAR(integrator->t(), 1, 1e-6);
}

TEST(TaylorIntegratorTest, AProblemWithoutASeriesIsRefused) {
  test::FunctionProblem problem(
      1, [](double, auto, auto) { return Evaluation::kOk; });
  try {
    static_cast<void>(MakeIntegrator(Method::kTaylor, problem, {}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot integrate by 'taylor': the problem gives no Taylor "
              "series; choose another method, as 'dop853'");
  }
}

// x' = 1 for x < 1 and -1 beyond, in turns; its series does not know this.
class Ramp final : public OdeProblem {
 public:
  [[nodiscard]] int dimension() const override { return 1; }

  Evaluation Derivative(double t,
                        std::span<const double> /*x*/,
                        std::span<double> dx) override {
    dx[0] = Slope(t);
    return Evaluation::kOk;
  }

  [[nodiscard]] SeriesKind series() override { return SeriesKind::kPiecewise; }

  Evaluation Series(double t,
                    std::span<const double> x,
                    double h,
                    int order,
                    SeriesRows& rows) override {
    series_.assign(static_cast<std::size_t>(order) + 1, 0.0);
    series_[0] = x[0];
    series_[1] = h * Slope(t);
    rows = {.begin = series_.data(), .stride = 1};
    return Evaluation::kOk;
  }

 private:
  static double Slope(double t) { return t < 0.777 ? 1 : -1; }

  std::vector<double> series_;
};

TEST(TaylorIntegratorTest, ASeriesIsLeftWhereItNoLongerHolds) {
  Ramp problem;
  const auto integrator =
      MakeIntegrator(Method::kTaylor, problem, {.relative_tolerance = 1e-9});
  integrator->Restart(0, std::vector<double>{1});
  ASSERT_TRUE(StepTo(*integrator, 1).stepped());
  EXPECT_NEAR(integrator->x()[0], 1 + 0.777 - 0.223, 1e-8);
  EXPECT_GT(integrator->statistics().rejected_steps, 0);
}

TEST(TaylorIntegratorTest, TheDenseOutputOfAPolynomialHasItsDegree) {
  Ramp problem;
  const auto integrator =
      MakeIntegrator(Method::kTaylor, problem, {.relative_tolerance = 1e-9});
  integrator->Restart(0, std::vector<double>{1});
  ASSERT_TRUE(integrator->Step(0.5).stepped());
  EXPECT_EQ(integrator->dense().degree(), 1);
  EXPECT_EQ(integrator->dense().Evaluate(0, 0.25), 1.25);
}

}  // namespace
}  // namespace orrery
