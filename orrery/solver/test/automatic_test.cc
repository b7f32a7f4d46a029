#include "orrery/solver/automatic.h"

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/solver/method.h"
#include "orrery/solver/test/test_problems.h"

namespace orrery {
namespace {

using test::Circle;
using test::FunctionProblem;
using test::StepTo;

// x' = -rate(t) (x - cos t) - sin t, whose solution is cos t.
FunctionProblem Relaxation(std::function<double(double)> rate) {
  return FunctionProblem({.dimension = 1,
                          .rhs =
                              [rate](double t, auto x, auto dx) {
                                dx[0] = -rate(t) * (x[0] - std::cos(t)) -
                                        std::sin(t);
                                return Evaluation::kOk;
                              },
                          .jacobian =
                              [rate](double t, auto, auto j) {
                                j[0] = -rate(t);
                                return Evaluation::kOk;
                              }});
}

TEST(AutomaticTest, StaysExplicitOnANonStiffProblem) {
  FunctionProblem problem = Circle({.series = 1e3});
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  EXPECT_EQ(integrator->statistics().method, "dopri5");
  integrator->Restart(0, std::array{0.0, 1.0});
  ASSERT_TRUE(StepTo(*integrator, 100).stepped());
  EXPECT_TRUE(integrator->switches().empty());
  EXPECT_EQ(integrator->statistics().jacobian_evaluations, 0);
}

std::string_view MethodFor(FunctionProblem&& problem, double tolerance) {
  return MakeIntegrator(
             Method::kAuto, problem, {.relative_tolerance = tolerance})
      ->statistics()
      .method;
}

TEST(AutomaticTest, TakesAMethodOfHighOrderForTightTolerances) {
  const auto steady = [](double) {
    return 1;
  };
  EXPECT_EQ(MethodFor(Relaxation(steady), 1e-6), "dopri5");
  EXPECT_EQ(MethodFor(Relaxation(steady), 1e-7), "dop853");
}

TEST(AutomaticTest, TakesSeriesWhereTheyAreCheaperThanTheStepsTheySave) {
  EXPECT_EQ(MethodFor(Circle({.derivative = 1, .series = 100}), 1e-3),
            "taylor");
  EXPECT_EQ(MethodFor(Circle({.derivative = 1, .series = 200}), 1e-3),
            "dopri5");
  EXPECT_EQ(MethodFor(Circle({.derivative = 20, .series = 300}), 1e-3),
            "taylor");
}

TEST(AutomaticTest, ASeriesMayCostMoreWhereTheToleranceIsTight) {
  const SeriesCost cost = {.derivative = 1, .series = 200};
  EXPECT_EQ(MethodFor(Circle(cost), 1e-3), "dopri5");
  EXPECT_EQ(MethodFor(Circle(cost), 1e-6), "taylor");
  EXPECT_EQ(MethodFor(Circle(cost), 1e-12), "taylor");
}

TEST(AutomaticTest, ChangesToRosenbrockWhereItIsStiffAndSaysSo) {
  FunctionProblem problem = Relaxation([](double) { return 1e5; });
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{1.0});
  ASSERT_TRUE(StepTo(*integrator, 10).stepped());
  ASSERT_EQ(integrator->switches().size(), 1);
  const MethodSwitch& change = integrator->switches().front();
  EXPECT_EQ(change.from, "dopri5");
  EXPECT_EQ(change.to, "rodas");
  EXPECT_THAT(
      change.reason,
      testing::StartsWith("stiffness: 15 steps were limited by stability"));
  EXPECT_LT(change.t, 0.01);
  EXPECT_EQ(integrator->statistics().method, "rodas");
  EXPECT_NEAR(integrator->x()[0], std::cos(10.0), 1e-6);
  EXPECT_LT(integrator->statistics().steps, 300);
}

// Controlled steps stay at 0.84 and 0.96 of the stability bound here.
TEST(AutomaticTest, MeetsStiffnessThatHardlyRejectsSteps) {
  struct Case {
    double rate;
    double tolerance;
    int most_steps;
  };

  for (const Case& c : {Case{1e3, 1e-6, 120}, Case{1e4, 1e-8, 400}}) {
    FunctionProblem problem = Relaxation([&](double) { return c.rate; });
    const auto integrator = MakeIntegrator(
        Method::kAuto, problem, {.relative_tolerance = c.tolerance});
    integrator->Restart(0, std::array{1.0});
    ASSERT_TRUE(StepTo(*integrator, 10).stepped());
    EXPECT_EQ(integrator->switches().size(), 1) << c.rate;
    EXPECT_LT(integrator->statistics().steps, c.most_steps) << c.rate;
  }
}

TEST(AutomaticTest, ComesBackOnceStiffnessIsOverAndKeepsItsPatience) {
  // Stiff in every other unit of time, for 40 units.
  FunctionProblem problem = Relaxation([](double t) {
    return 1 + 1e4 * std::pow(std::sin(std::numbers::pi * t / 2), 20);
  });
  const auto integrator =
      MakeIntegrator(Method::kAuto, problem, {.max_step = 0.01});
  integrator->Restart(0, std::array{1.0});
  ASSERT_TRUE(StepTo(*integrator, 40).stepped());
  const auto switches = integrator->switches();
  ASSERT_GE(switches.size(), 2);
  EXPECT_EQ(switches[1].to, "dopri5");
  EXPECT_THAT(switches[1].reason, testing::StartsWith("no longer stiff"));
  // Patience of 50, 200, 800, ... steps: few returns in 4000 steps.
  EXPECT_LE(switches.size(), 7);
  EXPECT_NEAR(integrator->x()[0], std::cos(40.0), 1e-5);
}

TEST(AutomaticTest, DenseOutputIsThatOfTheStepTakenAcrossASwitch) {
  FunctionProblem problem = Relaxation([](double) { return 1e4; });
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{1.0});
  while (integrator->t() < 3) {
    const double begin = integrator->t();
    const double x_begin = integrator->x()[0];
    ASSERT_TRUE(integrator->Step(3).stepped());
    const DenseOutput& dense = integrator->dense();
    ASSERT_EQ(dense.t_begin(), begin);
    ASSERT_EQ(dense.Evaluate(0, begin), x_begin);
    ASSERT_NEAR(dense.Evaluate(0, integrator->t()), integrator->x()[0], 1e-14);
    const double middle = 0.5 * (begin + integrator->t());
    ASSERT_NEAR(dense.Evaluate(0, middle), std::cos(middle), 1e-3);
  }
  EXPECT_EQ(integrator->switches().size(), 1);
}

TEST(AutomaticTest, StaysStiffAfterARestart) {
  FunctionProblem problem = Relaxation([](double) { return 1e5; });
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{1.0});
  ASSERT_TRUE(StepTo(*integrator, 1).stepped());
  integrator->Restart(1, std::array{0.5});
  EXPECT_EQ(integrator->statistics().method, "rodas");
  ASSERT_TRUE(StepTo(*integrator, 2).stepped());
  EXPECT_EQ(integrator->switches().size(), 1);
  EXPECT_NEAR(integrator->x()[0], std::cos(2.0), 1e-6);
}

// Steps with a restart after every 5th.
void StepWithRestarts(TimeIntegrator& integrator, int steps) {
  for (int i = 1; i <= steps; ++i) {
    ASSERT_TRUE(integrator.Step(1e9).stepped());
    if (i % 5 == 0) {
      const std::vector<double> x(integrator.x().begin(), integrator.x().end());
      integrator.Restart(integrator.t(), x);
    }
  }
}

TEST(AutomaticTest, MeetsStiffnessAcrossRestartsAfterFewerStepsThanItCounts) {
  FunctionProblem problem = Relaxation([](double) { return 1e5; });
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{1.0});
  StepWithRestarts(*integrator, 100);
  ASSERT_EQ(integrator->switches().size(), 1);
  EXPECT_EQ(integrator->switches().front().to, "rodas");
}

TEST(AutomaticTest, RestartsDoNotMakeANonStiffProblemStiff) {
  FunctionProblem problem = Circle({.series = 1e3});
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{0.0, 1.0});
  StepWithRestarts(*integrator, 300);
  EXPECT_TRUE(integrator->switches().empty());
}

// Steps are limited by stability in a fiftieth of the time only.
TEST(AutomaticTest, CalmStepsOnBothSidesOfARestartBelongTogether) {
  FunctionProblem problem = Relaxation(
      [](double t) { return t - std::floor(t) < 0.02 ? 1000.0 : 1.0; });
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{1.0});
  StepWithRestarts(*integrator, 300);
  EXPECT_TRUE(integrator->switches().empty());
}

TEST(AutomaticTest, NamesTheStateThatBlowsUp) {
  FunctionProblem problem(2, [](double, auto x, auto dx) {
    dx[0] = -x[0];
    dx[1] = x[1] * x[1];
    return Evaluation::kOk;
  });
  const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
  integrator->Restart(0, std::array{1.0, 1.0});
  const StepResult result = StepTo(*integrator, 2);
  EXPECT_FALSE(result.stepped());
  EXPECT_EQ(result.index, 1);
}

// x' = 1, four steps to 0.4 at once, after which another one is tried in vain.
class StuckAfterSteps final : public OdeProblem {
 public:
  [[nodiscard]] int dimension() const override { return 1; }

  Evaluation Derivative(double /*t*/,
                        std::span<const double> /*x*/,
                        std::span<double> dx) override {
    dx[0] = 1;
    return Evaluation::kOk;
  }

  [[nodiscard]] bool CanTakeSteps() override { return true; }

  using OdeProblem::TakeSteps;

  bool TakeSteps(const EmbeddedMethod& /*method*/,
                 const EmbeddedSteps& steps) override {
    if (steps.numbers[EmbeddedSteps::kMostSteps] == 1) {
      return false;
    }
    steps.numbers[EmbeddedSteps::kSteps] = 4;
    steps.numbers[EmbeddedSteps::kBegin] = 0.375;
    steps.numbers[EmbeddedSteps::kT] = 0.4;
    steps.numbers[EmbeddedSteps::kOutcome] = LaneOutcome::kStuck;
    steps.x[0] = 0.4;
    return true;
  }
};

TEST(AutomaticTest, TakesNoneOfSeveralStepsForTheWayOfAll) {
  StuckAfterSteps problem;
  const auto integrator =
      MakeIntegrator(Method::kAuto, problem, {.initial_step = 0.125});
  integrator->Restart(0, std::array{0.0});
  ASSERT_TRUE(integrator->Step(1).stepped());
  EXPECT_FALSE(integrator->TakeSteps(1, 1, 100));
  EXPECT_EQ(integrator->t(), 0.4);
  EXPECT_EQ(integrator->x()[0], 0.4);
  EXPECT_EQ(integrator->statistics().steps, 5);
  EXPECT_NEAR(integrator->statistics().last_step, 0.025, 1e-15);
  EXPECT_FALSE(integrator->has_step());
}

TEST(AutomaticTest, TheSameRunGivesTheSameBits) {
  const auto run = [] {
    FunctionProblem problem = Relaxation([](double) { return 1e5; });
    const auto integrator = MakeIntegrator(Method::kAuto, problem, {});
    integrator->Restart(0, std::array{0.3});
    EXPECT_TRUE(StepTo(*integrator, 3).stepped());
    return integrator->x()[0];
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace orrery
