// Steps of any length along parabolas.

#include "orrery/solver/adaptive/quadratic_motion.h"

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/solver/method.h"
#include "orrery/solver/test/test_problems.h"

namespace orrery {
namespace {

using test::FunctionProblem;
using testing::ElementsAre;

constexpr double kGravity = 9.81;

// A height and its velocity.
FunctionProblem Fall() {
  return FunctionProblem({.dimension = 2,
                          .rhs =
                              [](double, auto x, auto dx) {
                                dx[0] = x[1];
                                dx[1] = -kGravity;
                                return Evaluation::kOk;
                              },
                          .degree = 2});
}

std::string_view MethodOfDegree(std::optional<int> degree) {
  FunctionProblem problem({.dimension = 1,
                           .rhs =
                               [](double, auto, auto dx) {
                                 dx[0] = 1;
                                 return Evaluation::kOk;
                               },
                           .degree = degree});
  return MakeIntegrator(Method::kAuto, problem, {})->statistics().method;
}

TEST(QuadraticMotionTest, AutoTakesTheMidpointRuleUpToDegreeTwo) {
  EXPECT_EQ(MethodOfDegree(0), "midpoint");
  EXPECT_EQ(MethodOfDegree(2), "midpoint");
  EXPECT_EQ(MethodOfDegree(3), "dopri5");
  EXPECT_EQ(MethodOfDegree(std::nullopt), "dopri5");
}

TEST(QuadraticMotionTest, AFallIsOneStep) {
  FunctionProblem problem = Fall();
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(1, std::array{2.0, 3.0});
  ASSERT_TRUE(integrator->Step(101).stepped());
  EXPECT_EQ(integrator->t(), 101);
  EXPECT_DOUBLE_EQ(integrator->x()[0], 2 + 3 * 100 - kGravity * 5000);
  EXPECT_DOUBLE_EQ(integrator->x()[1], 3 - kGravity * 100);
  EXPECT_EQ(problem.calls(), 2);
}

TEST(QuadraticMotionTest, ItsDenseOutputIsTheParabola) {
  FunctionProblem problem = Fall();
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{2.0, 3.0});
  ASSERT_TRUE(integrator->Step(2).stepped());
  EXPECT_EQ(integrator->dense().degree(), 2);
  for (const double t : {0.0, 0.3, 1.1, 2.0}) {
    EXPECT_NEAR(integrator->dense().Evaluate(0, t),
                2 + 3 * t - kGravity / 2 * t * t,
                1e-14);
  }
}

TEST(QuadraticMotionTest, StepsBehindEventsAreNotMuchLongerThanTheWayToThem) {
  FunctionProblem problem = Fall();
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{2.0, 3.0});
  integrator->Restart(1e-4, std::array{2.0, 3.0});
  ASSERT_TRUE(integrator->Step(1).stepped());
  EXPECT_DOUBLE_EQ(integrator->statistics().last_step, 1e-3);
  ASSERT_TRUE(integrator->Step(1).stepped());
  EXPECT_DOUBLE_EQ(integrator->statistics().last_step, 1e-2);
}

TEST(QuadraticMotionTest, ALimitCutsOnlyTheStepThatReachesIt) {
  FunctionProblem problem = Fall();
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{2.0, 3.0});
  integrator->Restart(1e-2, std::array{2.0, 3.0});
  ASSERT_TRUE(integrator->Step(0.02).stepped());
  ASSERT_TRUE(integrator->Step(10).stepped());
  EXPECT_DOUBLE_EQ(integrator->statistics().last_step, 0.1);
}

TEST(QuadraticMotionTest, AStepTakenBackLeavesWhatWas) {
  FunctionProblem problem = Fall();
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{2.0, 3.0});
  ASSERT_TRUE(integrator->Step(1).stepped());
  ASSERT_TRUE(integrator->TakeBack());
  EXPECT_EQ(integrator->t(), 0);
  EXPECT_THAT(integrator->x(), ElementsAre(2.0, 3.0));
}

// x = 1e300 t^2/2 overflows from t = 1.9e4 on.
TEST(QuadraticMotionTest, StepsEndBeforeAnOverflow) {
  FunctionProblem problem({.dimension = 2,
                           .rhs =
                               [](double, auto x, auto dx) {
                                 dx[0] = x[1];
                                 dx[1] = 1e300;
                                 return Evaluation::kOk;
                               },
                           .degree = 2});
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{0.0, 0.0});
  StepResult result;
  while (result.stepped() && integrator->t() < 1e6) {
    result = integrator->Step(1e6);
  }
  EXPECT_EQ(result.outcome, StepOutcome::kNotFinite);
  EXPECT_EQ(result.index, 0);
  EXPECT_NEAR(integrator->t(), std::sqrt(2 * 1.7976931348623157e8), 1);
}

}  // namespace
}  // namespace orrery
