#include "orrery/solver/adaptive/explicit_runge_kutta.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/count_allocations.h"
#include "orrery/solver/adaptive/dormand_prince_tableaus.h"
#include "orrery/solver/adaptive/power.h"
#include "orrery/solver/method.h"
#include "orrery/solver/test/test_problems.h"

namespace orrery {

namespace internal = solver::internal;

namespace {

using internal::DormandPrince5Tableau;
using internal::DormandPrince8Tableau;
using test::Circle;
using test::FunctionProblem;
using test::StepTo;

// sum_i b_i c_i^q for the quadrature conditions: 1 / (q + 1).
template <typename WeightsT, typename NodesT>
double Moment(const WeightsT& weights, const NodesT& nodes, int q) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size() && i < nodes.size(); ++i) {
    sum += weights[i] * std::pow(nodes[i], q);
  }
  return sum;
}

// sum_i b_i sum_j a_ij c_j^q: 1 / ((q + 1) (q + 2)).
template <typename TableauT, typename WeightsT>
double NestedMoment(const WeightsT& weights, int q) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size() && i < TableauT::kMatrix.size();
       ++i) {
    sum += weights[i] * Moment(TableauT::kMatrix[i], TableauT::kNodes, q);
  }
  return sum;
}

template <typename TableauT>
void ExpectRowSumsAreNodes() {
  for (std::size_t i = 0; i < TableauT::kMatrix.size(); ++i) {
    EXPECT_NEAR(Moment(TableauT::kMatrix[i], TableauT::kNodes, 0),
                TableauT::kNodes[i],
                2e-14)
        << i;
  }
}

TEST(PowerTest, IsThePowerAsFarAsStepsNeedIt) {
  for (const double exponent : {0.2, -0.2, 0.125, -0.125, 0.04, -0.17}) {
    for (int k = -400; k <= 400; ++k) {
      const double base = std::exp2(0.1 * k);
      EXPECT_NEAR(internal::Power(base, exponent) / std::pow(base, exponent),
                  1,
                  0.0022 + 0.061 * std::abs(exponent))
          << base << " " << exponent;
    }
  }
  EXPECT_EQ(internal::Power(1, 0.2), 1);
  EXPECT_LT(internal::Power(0, 0.2), 1e-60);
  EXPECT_GT(internal::Power(0, -0.2), 1e60);
  EXPECT_TRUE(std::isnan(internal::Power(std::nan(""), 0.2)));
}

TEST(PowerTest, ReciprocalsAreAsGoodAsTheySay) {
  for (int k = -200'000; k <= 200'000; ++k) {
    const double x = std::exp2(0.005 * k);
    const double product = internal::Reciprocal(x) * x;
    ASSERT_LE(product, 1) << x;
    ASSERT_GE(product, 1 - 0.0026) << x;
  }
  EXPECT_TRUE(std::isfinite(internal::Reciprocal(0)));
  EXPECT_GT(internal::Reciprocal(0), 1e307);
  EXPECT_TRUE(std::isnan(internal::Reciprocal(std::nan(""))));
}

TEST(DormandPrinceTableausTest, RowSumsAreNodes) {
  ExpectRowSumsAreNodes<DormandPrince5Tableau>();
  ExpectRowSumsAreNodes<DormandPrince8Tableau>();
}

TEST(DormandPrinceTableausTest, WeightsSatisfyTheOrderConditions) {
  const auto& five = DormandPrince5Tableau::kMatrix[6];
  for (int q = 0; q < 5; ++q) {
    EXPECT_NEAR(
        Moment(five, DormandPrince5Tableau::kNodes, q), 1.0 / (q + 1), 1e-15);
  }
  for (int q = 0; q < 4; ++q) {
    EXPECT_NEAR(NestedMoment<DormandPrince5Tableau>(five, q),
                1.0 / ((q + 1) * (q + 2)),
                1e-15);
  }
  const auto& eight = DormandPrince8Tableau::kMatrix[12];
  for (int q = 0; q < 8; ++q) {
    EXPECT_NEAR(
        Moment(eight, DormandPrince8Tableau::kNodes, q), 1.0 / (q + 1), 2e-15);
  }
  for (int q = 0; q < 7; ++q) {
    EXPECT_NEAR(NestedMoment<DormandPrince8Tableau>(eight, q),
                1.0 / ((q + 1) * (q + 2)),
                1e-13);
  }
}

TEST(DormandPrinceTableausTest, ErrorEstimatesVanishToTheirOrder) {
  for (int q = 0; q < 4; ++q) {
    EXPECT_NEAR(Moment(DormandPrince5Tableau::kErrorWeights,
                       DormandPrince5Tableau::kNodes,
                       q),
                0,
                1e-16);
  }
  for (int q = 0; q < 5; ++q) {
    EXPECT_NEAR(Moment(DormandPrince8Tableau::kErrorWeights5,
                       DormandPrince8Tableau::kNodes,
                       q),
                0,
                1e-15);
  }
  for (int q = 0; q < 3; ++q) {
    EXPECT_NEAR(
        Moment(
            DormandPrince8Tableau::kWeights3, DormandPrince8Tableau::kNodes, q),
        1.0 / (q + 1),
        1e-15);
  }
}

// An integrator whose every step is `h`.
std::unique_ptr<TimeIntegrator> WithStep(Method method,
                                         OdeProblem& problem,
                                         double h) {
  return MakeIntegrator(method,
                        problem,
                        {.relative_tolerance = 0.99,
                         .absolute_tolerances = {1e3},
                         .initial_step = h,
                         .max_step = h});
}

// y' = -2 t y^2, y(0) = 1: y = 1 / (1 + t^2).
FunctionProblem Witch() {
  return FunctionProblem(1, [](double t, auto x, auto dx) {
    dx[0] = -2 * t * x[0] * x[0];
    return Evaluation::kOk;
  });
}

double ErrorWithStep(Method method, double h) {
  FunctionProblem problem = Witch();
  const auto integrator = WithStep(method, problem, h);
  integrator->Restart(0, std::array{1.0});
  EXPECT_TRUE(StepTo(*integrator, 1).stepped());
  return std::abs(integrator->x()[0] - 0.5);
}

TEST(ExplicitRungeKuttaTest, ErrorFallsWithTheOrderOfTheMethod) {
  EXPECT_NEAR(std::log2(ErrorWithStep(Method::kDormandPrince5, 1.0 / 16) /
                        ErrorWithStep(Method::kDormandPrince5, 1.0 / 32)),
              5,
              0.4);
  EXPECT_NEAR(std::log2(ErrorWithStep(Method::kDormandPrince8, 1.0 / 4) /
                        ErrorWithStep(Method::kDormandPrince8, 1.0 / 8)),
              8,
              1.0);
}

// The greatest error of the dense output in the first step, of length h.
double DenseError(Method method, double h) {
  FunctionProblem problem(1, [](double t, auto x, auto dx) {
    dx[0] = std::cos(t + 0.3) * x[0];
    return Evaluation::kOk;
  });
  const auto integrator = WithStep(method, problem, h);
  integrator->Restart(0, std::array{1.0});
  EXPECT_TRUE(integrator->Step(10).stepped());
  EXPECT_EQ(integrator->t(), h);
  double worst = 0;
  for (int k = 0; k <= 20; ++k) {
    const double t = h * k / 20;
    const double exact = std::exp(std::sin(t + 0.3) - std::sin(0.3));
    worst =
        std::max(worst, std::abs(integrator->dense().Evaluate(0, t) - exact));
  }
  return worst;
}

TEST(ExplicitRungeKuttaTest, DenseOutputHasItsOrder) {
  EXPECT_NEAR(std::log2(DenseError(Method::kDormandPrince5, 0.2) /
                        DenseError(Method::kDormandPrince5, 0.1)),
              5,
              0.3);
  EXPECT_NEAR(std::log2(DenseError(Method::kDormandPrince8, 0.8) /
                        DenseError(Method::kDormandPrince8, 0.4)),
              8,
              0.5);
}

TEST(ExplicitRungeKuttaTest, DenseOutputMeetsTheStatesAtBothEnds) {
  for (const Method method :
       {Method::kDormandPrince5, Method::kDormandPrince8}) {
    FunctionProblem problem = Circle();
    const auto integrator = MakeIntegrator(method, problem, {});
    integrator->Restart(0, std::array{0.0, 1.0});
    while (integrator->t() < 10) {
      const double begin = integrator->t();
      const std::vector<double> x(integrator->x().begin(),
                                  integrator->x().end());
      ASSERT_TRUE(integrator->Step(10).stepped());
      std::array<double, 2> value{};
      integrator->dense().Evaluate(begin, value);
      EXPECT_EQ(value[0], x[0]);
      EXPECT_EQ(value[1], x[1]);
      integrator->dense().Evaluate(integrator->t(), value);
      EXPECT_NEAR(value[0], integrator->x()[0], 1e-14);
      EXPECT_NEAR(value[1], integrator->x()[1], 1e-14);
    }
  }
}

TEST(ExplicitRungeKuttaTest, StepsWithoutAllocating) {
  for (const Method method :
       {Method::kDormandPrince5, Method::kDormandPrince8}) {
    FunctionProblem problem = Circle();
    const auto integrator = MakeIntegrator(method, problem, {});
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
}

TEST(ExplicitRungeKuttaTest, EndsExactlyAtTheLimitWithoutATinyStep) {
  FunctionProblem problem = Circle();
  const auto integrator = MakeIntegrator(Method::kDormandPrince5, problem, {});
  integrator->Restart(0, std::array{0.0, 1.0});
  double shortest = 1;
  while (integrator->t() < 10.1) {
    ASSERT_TRUE(integrator->Step(10.1).stepped());
    shortest = std::min(shortest, integrator->statistics().last_step);
  }
  EXPECT_EQ(integrator->t(), 10.1);
  EXPECT_GT(shortest, 1e-4);
}

TEST(ExplicitRungeKuttaTest, ALimitThatCutsAStepDoesNotSlowTheNextOnes) {
  FunctionProblem problem = Circle();
  const auto integrator = MakeIntegrator(Method::kDormandPrince8, problem, {});
  integrator->Restart(0, std::array{0.0, 1.0});
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(integrator->Step(100).stepped());
  }
  const double usual = integrator->statistics().last_step;
  ASSERT_TRUE(integrator->Step(integrator->t() + 1e-9).stepped());
  ASSERT_TRUE(integrator->Step(100).stepped());
  EXPECT_GT(integrator->statistics().last_step, 0.8 * usual);
}

// Steps of the circle after a restart at t = 5 and another one `later`.
double FirstStepAfterRestarts(double later) {
  FunctionProblem problem = Circle();
  const auto integrator = MakeIntegrator(Method::kDormandPrince5, problem, {});
  integrator->Restart(0, std::array{0.0, 1.0});
  (void)StepTo(*integrator, 5);
  for (const double t : {5.0, 5 + later}) {
    integrator->Restart(t, std::array{0.0, 1.0});
    (void)integrator->Step(100);
  }
  return integrator->statistics().last_step;
}

TEST(ExplicitRungeKuttaTest, TriesTheLastStepsLengthAfterAnEvent) {
  FunctionProblem problem = Circle();
  const auto integrator = MakeIntegrator(Method::kDormandPrince5, problem, {});
  integrator->Restart(0, std::array{0.0, 1.0});
  (void)integrator->Step(100);
  const double careful = integrator->statistics().last_step;
  EXPECT_GT(FirstStepAfterRestarts(1), 2 * careful);
}

TEST(ExplicitRungeKuttaTest, AStartIsAsCarefulLateAsAtZero) {
  double first = 0;
  for (const double start : {0.0, 64.0}) {
    FunctionProblem problem = Circle();
    const auto integrator =
        MakeIntegrator(Method::kDormandPrince5, problem, {});
    integrator->Restart(start, std::array{0.0, 1.0});
    ASSERT_TRUE(integrator->Step(1000).stepped());
    EXPECT_EQ(integrator->statistics().rejected_steps, 0);
    first = start == 0 ? integrator->t() : first;
    EXPECT_NEAR(integrator->t() - start, first, 1e-13);
  }
}

TEST(ExplicitRungeKuttaTest, EventsThatFollowEachOtherAtOnceDoNotShortenSteps) {
  FunctionProblem problem = Circle();
  const auto integrator = MakeIntegrator(Method::kDormandPrince5, problem, {});
  integrator->Restart(0, std::array{0.0, 1.0});
  (void)integrator->Step(100);
  const double careful = integrator->statistics().last_step;
  EXPECT_GE(FirstStepAfterRestarts(1e-15), 0.99 * careful);
}

TEST(ExplicitRungeKuttaTest, ShortensStepsThatLeaveTheDomain) {
  // x' = -sqrt(1 - t) is defined to t = 1 only; x(1) = 1 - 2/3.
  FunctionProblem problem(1, [](double t, auto, auto dx) {
    if (t > 1) {
      return Evaluation::kRetry;
    }
    dx[0] = -std::sqrt(1 - t);
    return Evaluation::kOk;
  });
  const auto integrator = MakeIntegrator(Method::kDormandPrince5, problem, {});
  integrator->Restart(0, std::array{1.0});
  const StepResult result = StepTo(*integrator, 2);
  EXPECT_EQ(result.outcome, StepOutcome::kEvaluationFailed);
  EXPECT_NEAR(integrator->t(), 1, 1e-12);
  EXPECT_NEAR(integrator->x()[0], 1.0 / 3, 1e-6);
}

TEST(ExplicitRungeKuttaTest, StopsAtOnceWhereTheProblemFails) {
  FunctionProblem problem(1, [](double t, auto, auto dx) {
    dx[0] = 1;
    return t > 1 ? Evaluation::kFail : Evaluation::kOk;
  });
  const auto integrator =
      MakeIntegrator(Method::kDormandPrince5, problem, {.max_step = 0.25});
  integrator->Restart(0, std::array{0.0});
  const StepResult result = StepTo(*integrator, 2);
  EXPECT_EQ(result.outcome, StepOutcome::kEvaluationFailed);
  EXPECT_EQ(integrator->statistics().rejected_steps, 0);
}

TEST(ExplicitRungeKuttaTest, NamesTheStateThatBlowsUp) {
  // x1' = x1^2 has a pole at t = 1.
  FunctionProblem problem(2, [](double, auto x, auto dx) {
    dx[0] = -x[0];
    dx[1] = x[1] * x[1];
    return Evaluation::kOk;
  });
  for (const Method method :
       {Method::kDormandPrince5, Method::kDormandPrince8}) {
    const auto integrator = MakeIntegrator(method, problem, {});
    integrator->Restart(0, std::array{1.0, 1.0});
    const StepResult result = StepTo(*integrator, 2);
    EXPECT_THAT(
        result.outcome,
        testing::AnyOf(StepOutcome::kStepTooSmall, StepOutcome::kNotFinite));
    EXPECT_EQ(result.index, 1);
    EXPECT_NEAR(integrator->t(), 1, 1e-6);
  }
}

TEST(ExplicitRungeKuttaTest, HonoursTheLeastStep) {
  FunctionProblem problem(1, [](double t, auto, auto dx) {
    dx[0] = t < 0.3333 ? 0 : 1e6;
    return Evaluation::kOk;
  });
  const auto integrator =
      MakeIntegrator(Method::kDormandPrince5, problem, {.min_step = 1e-3});
  integrator->Restart(0, std::array{0.0});
  const StepResult result = StepTo(*integrator, 1);
  EXPECT_EQ(result.outcome, StepOutcome::kStepTooSmall);
  EXPECT_EQ(result.index, 0);
}

// From x just beside zero, a first step by sizes would be below the rounding of
// t.
TEST(ExplicitRungeKuttaTest, StartsJustBesideZeroLateInTime) {
  FunctionProblem problem(1, [](double, auto, auto dx) {
    dx[0] = 0.5;
    return Evaluation::kOk;
  });
  for (const Method method : {Method::kDormandPrince5,
                              Method::kDormandPrince8,
                              Method::kRosenbrock}) {
    const auto integrator = MakeIntegrator(method, problem, {});
    integrator->Restart(145, std::array{-2.6e-14});
    EXPECT_TRUE(StepTo(*integrator, 150).stepped());
    EXPECT_NEAR(integrator->x()[0], 2.5, 1e-12);
  }
}

TEST(ExplicitRungeKuttaTest,
     GivesUpAtTimeZeroWhereNoStepIsTooShortForRounding) {
  // The problem has no domain after the start; the other one cannot be
  // resolved.
  FunctionProblem outside(1, [](double t, auto, auto dx) {
    dx[0] = std::sqrt(-t);
    return t > 0 ? Evaluation::kRetry : Evaluation::kOk;
  });
  FunctionProblem steep(1, [](double, auto x, auto dx) {
    dx[0] = 1e200 * x[0];
    return Evaluation::kOk;
  });
  for (const Method method : {Method::kDormandPrince5,
                              Method::kDormandPrince8,
                              Method::kRosenbrock}) {
    const auto first = MakeIntegrator(method, outside, {});
    first->Restart(0, std::array{1.0});
    EXPECT_FALSE(StepTo(*first, 1).stepped());
    const auto second = MakeIntegrator(method, steep, {});
    second->Restart(0, std::array{1.0});
    const StepResult result = StepTo(*second, 1);
    EXPECT_EQ(result.outcome, StepOutcome::kStepTooSmall);
    EXPECT_EQ(result.index, 0);
  }
}

TEST(ExplicitRungeKuttaTest, DoesNotStepOverAShortPulse) {
  // A pulse of height 1 for 0.002 s in 10 s, seen because steps are bounded.
  FunctionProblem problem(1, [](double t, auto, auto dx) {
    dx[0] = t >= 5 && t < 5.002 ? 1 : 0;
    return Evaluation::kOk;
  });
  for (const Method method :
       {Method::kDormandPrince5, Method::kDormandPrince8}) {
    const auto integrator =
        MakeIntegrator(method, problem, {.max_step = 0.002});
    integrator->Restart(0, std::array{0.0});
    ASSERT_TRUE(StepTo(*integrator, 10).stepped());
    EXPECT_NEAR(integrator->x()[0], 0.002, 1e-6);
  }
}

}  // namespace
}  // namespace orrery
