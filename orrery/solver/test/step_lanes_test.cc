// Lanes around a stepper that is written by hand, for x' = -k x.

#include "orrery/solver/steps/step_lanes.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/solver/method.h"
#include "orrery/solver/problem/ode.h"

namespace orrery {
namespace {

constexpr std::size_t kLanes = 4;
constexpr double kStep = 0.125;

// The end of an Euler step of x' = -k x, as the solver rounds it.
double EulerStep(double k, double x) {
  return std::fma(kStep, -k * x, x);
}

class DecayOfLane final : public OdeProblem {
 public:
  explicit DecayOfLane(double k) : k_(k) {}

  [[nodiscard]] int dimension() const override { return 1; }

  Evaluation Derivative(double /*t*/,
                        std::span<const double> x,
                        std::span<double> dx) override {
    dx[0] = -k_ * x[0];
    return Evaluation::kOk;
  }

  [[nodiscard]] bool CanTakeSteps() override { return true; }

 private:
  double k_;
};

// Takes Euler steps with a k for each lane.
class DecayLanes final : public StepTaker {
 public:
  [[nodiscard]] std::size_t lanes() const noexcept override { return kLanes; }

  using StepTaker::TakeSteps;

  [[nodiscard]] bool NeedsTimes(const ExplicitTableau& /*tableau*/) override {
    return needs_times;
  }

  bool TakeSteps(const ExplicitTableau& /*tableau*/,
                 std::span<const double> times,
                 std::int64_t count,
                 double h,
                 std::span<double> x,
                 std::span<double> /*work*/) override {
    EXPECT_EQ(h, kStep);
    EXPECT_GE(count, 1);
    seen_times.insert(seen_times.end(), times.begin(), times.end());
    steps += count;
    for (std::int64_t step = 0; step < count; ++step) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        x[lane] = EulerStep(k[lane], x[lane]);
      }
    }
    return !fails;
  }

  std::array<double, kLanes> k = {1, 2, 3, 4};
  bool needs_times = false;
  bool fails = false;
  std::int64_t steps = 0;
  std::vector<double> seen_times;
};

class StepLanesTest : public testing::Test {
 protected:
  StepLanesTest() {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      problems_.push_back(std::make_unique<DecayOfLane>(stepper_.k[lane]));
      integrators_.push_back(Make(*problems_.back()));
      integrators_.back()->Restart(0, std::array{1.0});
    }
    lanes_ = integrators_[0]->MakeLanes(stepper_);
  }

  static std::unique_ptr<TimeIntegrator> Make(OdeProblem& problem) {
    return MakeIntegrator(Method::kEuler, problem, {.step = kStep});
  }

  DecayLanes stepper_;
  std::vector<std::unique_ptr<DecayOfLane>> problems_;
  std::vector<std::unique_ptr<TimeIntegrator>> integrators_;
  std::unique_ptr<StepLanes> lanes_;
};

TEST_F(StepLanesTest, ALaneIsTakenWhenItHasArrivedAndTheOthersGoOn) {
  ASSERT_TRUE(lanes_->Put(0, *integrators_[0], 1, 10));
  ASSERT_TRUE(lanes_->Put(2, *integrators_[2], 10, 10));
  lanes_->Run();
  EXPECT_FALSE(lanes_->Take(1));
  EXPECT_FALSE(lanes_->Take(2));
  ASSERT_TRUE(lanes_->Take(0));
  EXPECT_EQ(integrators_[0]->t(), 1);
  EXPECT_EQ(stepper_.steps, 8);
  EXPECT_EQ(integrators_[2]->t(), 0);
  EXPECT_FALSE(lanes_->Take(0));
}

TEST_F(StepLanesTest, OneStepThatIsLeftOfALaneIsTaken) {
  ASSERT_TRUE(lanes_->Put(0, *integrators_[0], 1, 10));
  ASSERT_TRUE(lanes_->Put(1, *integrators_[1], 1 + kStep, 10));
  lanes_->Run();
  ASSERT_TRUE(lanes_->Take(0));
  lanes_->Run();
  ASSERT_TRUE(lanes_->Take(1));
  EXPECT_EQ(integrators_[1]->t(), 1 + kStep);
  EXPECT_EQ(stepper_.steps, 9);
}

TEST_F(StepLanesTest, AnIntegratorInALaneDoesWhatItDoesByItself) {
  constexpr double kUntil = 5;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    ASSERT_TRUE(lanes_->Put(lane, *integrators_[lane], kUntil, kUntil));
  }
  lanes_->Run();
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    ASSERT_TRUE(lanes_->Take(lane));
    EXPECT_EQ(integrators_[lane]->t(), kUntil);
    const auto alone = Make(*problems_[lane]);
    alone->Restart(0, std::array{1.0});
    while (alone->t() < kUntil) {
      ASSERT_TRUE(alone->Step(kUntil).stepped());
    }
    EXPECT_EQ(integrators_[lane]->x()[0], alone->x()[0]);
    EXPECT_EQ(integrators_[lane]->statistics().steps, 40);
    EXPECT_EQ(integrators_[lane]->statistics().rhs_evaluations,
              alone->statistics().rhs_evaluations);
  }
}

TEST_F(StepLanesTest, TheLastStepOfALaneHasADenseOutput) {
  ASSERT_TRUE(lanes_->Put(0, *integrators_[0], 1, 10));
  lanes_->Run();
  ASSERT_TRUE(lanes_->Take(0));
  const auto alone = Make(*problems_[0]);
  alone->Restart(0, std::array{1.0});
  while (alone->t() < 1) {
    ASSERT_TRUE(alone->Step(10).stepped());
  }
  std::array<double, 1> of_lane{};
  std::array<double, 1> of_alone{};
  integrators_[0]->dense().Evaluate(1 - kStep / 3, of_lane);
  alone->dense().Evaluate(1 - kStep / 3, of_alone);
  EXPECT_EQ(of_lane, of_alone);
}

TEST_F(StepLanesTest, AnIntegratorThatIsWhereItShouldBeTakesAStepYet) {
  ASSERT_TRUE(integrators_[0]->StepUntil(0, 10).stepped());
  EXPECT_EQ(integrators_[0]->t(), kStep);
}

TEST_F(StepLanesTest, WhereAStepFailsEveryIntegratorIsWhereItWas) {
  stepper_.fails = true;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    ASSERT_TRUE(lanes_->Put(lane, *integrators_[lane], 1, 1));
  }
  lanes_->Run();
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    EXPECT_TRUE(lanes_->Take(lane));
    EXPECT_EQ(integrators_[lane]->t(), 0);
    EXPECT_EQ(integrators_[lane]->x()[0], 1);
    EXPECT_EQ(integrators_[lane]->statistics().steps, 0);
  }
}

TEST_F(StepLanesTest, TimesAreThoseOfEachLane) {
  stepper_.needs_times = true;
  ASSERT_TRUE(integrators_[1]->Step(10).stepped());
  ASSERT_TRUE(lanes_->Put(0, *integrators_[0], 5 * kStep, 10));
  ASSERT_TRUE(lanes_->Put(1, *integrators_[1], 10, 10));
  lanes_->Run();
  ASSERT_EQ(stepper_.seen_times.size(), 5 * kLanes);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(stepper_.seen_times[k * kLanes], kStep * static_cast<double>(k));
    EXPECT_EQ(stepper_.seen_times[k * kLanes + 1],
              kStep * static_cast<double>(k + 1));
  }
}

TEST_F(StepLanesTest, TheyTakeNoIntegratorOfAnotherMethodOrStep) {
  const auto other =
      MakeIntegrator(Method::kHeun, *problems_[0], {.step = kStep});
  other->Restart(0, std::array{1.0});
  EXPECT_FALSE(lanes_->Put(0, *other, 5, 5));
  const auto longer =
      MakeIntegrator(Method::kEuler, *problems_[0], {.step = 2 * kStep});
  longer->Restart(0, std::array{1.0});
  EXPECT_FALSE(lanes_->Put(0, *longer, 5, 5));
}

}  // namespace
}  // namespace orrery
