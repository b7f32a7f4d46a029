// Steps that are taken back.

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/solver/method.h"
#include "orrery/solver/test/test_problems.h"

namespace orrery {
namespace {

// Returns an integrator of the circle after three steps from t = 0.
std::unique_ptr<TimeIntegrator> BehindThreeSteps(Method method,
                                                 OdeProblem& circle) {
  SolverOptions options;
  options.step = 0.125;
  auto integrator = MakeIntegrator(method, circle, options);
  integrator->Restart(0, std::vector<double>{1, 0});
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(integrator->Step(10).stepped());
  }
  return integrator;
}

std::vector<double> StatesOf(const TimeIntegrator& integrator) {
  return {integrator.x().begin(), integrator.x().end()};
}

class TakeBackTest : public testing::TestWithParam<Method> {};

TEST_P(TakeBackTest, AnotherStepIsAsIfItWereTheFirstFromThere) {
  test::FunctionProblem circle = test::Circle({.series = 1e9});
  const auto direct = BehindThreeSteps(GetParam(), circle);
  const auto other = BehindThreeSteps(GetParam(), circle);
  const double begin = other->t();
  const std::vector<double> before = StatesOf(*other);
  ASSERT_TRUE(other->Step(10).stepped());
  const double near = begin + (other->t() - begin) * 0.375;
  static_cast<void>(other->dense());
  ASSERT_TRUE(other->TakeBack());
  EXPECT_EQ(other->t(), begin);
  EXPECT_EQ(StatesOf(*other), before);
  EXPECT_EQ(other->statistics().steps, 3);
  EXPECT_FALSE(other->has_step());
  ASSERT_TRUE(other->Step(near).stepped());
  ASSERT_TRUE(direct->Step(near).stepped());
  EXPECT_EQ(other->t(), near);
  EXPECT_EQ(StatesOf(*other), StatesOf(*direct));
}

TEST_P(TakeBackTest, ThereIsOneStepToTakeBackAtATime) {
  test::FunctionProblem circle = test::Circle({.series = 1e9});
  const auto integrator = BehindThreeSteps(GetParam(), circle);
  ASSERT_TRUE(integrator->TakeBack());
  EXPECT_FALSE(integrator->TakeBack());
}

INSTANTIATE_TEST_SUITE_P(OneStepMethods,
                         TakeBackTest,
                         testing::Values(Method::kAuto,
                                         Method::kDormandPrince5,
                                         Method::kDormandPrince8,
                                         Method::kRosenbrock,
                                         Method::kEuler,
                                         Method::kImplicitEuler,
                                         Method::kSymplecticEuler,
                                         Method::kMidpoint,
                                         Method::kAdamsBashforth2,
                                         Method::kTrapezoid,
                                         Method::kRungeKutta4),
                         [](const auto& method) {
                           std::string name(NameOf(method.param).name);
                           std::erase(name, '-');
                           return name;
                         });

TEST(MultistepTest, AMethodWithAHistoryKeepsItsStep) {
  test::FunctionProblem circle = test::Circle({.series = 1e9});
  const auto integrator = BehindThreeSteps(Method::kCvodeBdf, circle);
  const double t = integrator->t();
  EXPECT_FALSE(integrator->TakeBack());
  EXPECT_EQ(integrator->t(), t);
  EXPECT_TRUE(integrator->has_step());
}

}  // namespace
}  // namespace orrery
