// Steps of fixed length that a problem takes many at once.

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include <gtest/gtest.h>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/solver/method.h"
#include "orrery/solver/problem/ode.h"

namespace orrery {
namespace {

// x' = -x; Euler steps are taken at once up to those that begin at t = `wall`.
class DecayUpTo final : public OdeProblem {
 public:
  explicit DecayUpTo(double wall) : wall_(wall) {}

  [[nodiscard]] int dimension() const override { return 1; }

  Evaluation Derivative(double /*t*/,
                        std::span<const double> x,
                        std::span<double> dx) override {
    dx[0] = -x[0];
    return Evaluation::kOk;
  }

  [[nodiscard]] bool CanTakeSteps() override { return true; }

  [[nodiscard]] bool NeedsTimes(const ExplicitTableau& /*tableau*/) override {
    return true;
  }

  using OdeProblem::TakeSteps;

  bool TakeSteps(const ExplicitTableau& /*tableau*/,
                 std::span<const double> times,
                 std::int64_t /*count*/,
                 double h,
                 std::span<double> x,
                 std::span<double> /*work*/) override {
    for (const double t : times) {
      if (t >= wall_) {
        x[0] = kNaN;
        return false;
      }
      x[0] = std::fma(h, -x[0], x[0]);
      ++taken;
    }
    return true;
  }

  int taken = 0;

 private:
  double wall_;
};

TEST(StepsAtOnceTest, WhatFailsAtOnceIsTakenStepByStep) {
  for (const double wall : {0.0, 0.5, 0.875, 2.0}) {
    DecayUpTo problem(wall);
    const auto integrator =
        MakeIntegrator(Method::kEuler, problem, {.step = 0.125});
    integrator->Restart(0, std::array{1.0});
    while (integrator->t() < 1) {
      ASSERT_TRUE(integrator->StepUntil(1, 1).stepped());
    }
    EXPECT_EQ(integrator->t(), 1) << wall;
    EXPECT_EQ(integrator->x()[0], std::pow(0.875, 8)) << wall;
    EXPECT_EQ(integrator->statistics().steps, 8) << wall;
    EXPECT_EQ(integrator->dense().Evaluate(0, 0.875), std::pow(0.875, 7))
        << wall;
  }
}

TEST(StepsAtOnceTest, StepsAtOnceBeforeTheOneThatFailsAreKept) {
  DecayUpTo problem(0.875);
  const auto integrator =
      MakeIntegrator(Method::kEuler, problem, {.step = 0.125});
  integrator->Restart(0, std::array{1.0});
  EXPECT_TRUE(integrator->StepUntil(1, 1).stepped());
  EXPECT_EQ(problem.taken, 7);
  EXPECT_EQ(integrator->t(), 1);
}

}  // namespace
}  // namespace orrery
