// Knowledge of ticks before they take place.

#include "orrery/sim/events/tick_plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/diagnostic.h"
#include "orrery/base/test/count_allocations.h"
#include "orrery/compile/compile.h"
#include "orrery/model/block.h"
#include "orrery/model/lower.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {

namespace internal = sim::internal;

namespace {

using internal::PlanTicks;
using internal::TickPlan;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A leaky sum of two, and another clock that takes its value.
struct Sampler : Block {
  Clock clock{this, "clock", 0.1};
  Clock slow{this, "slow", 0.3};
  Discrete sum{this, "sum", 0.0};
  Discrete last{this, "last", 0.0};
  Discrete taken{this, "taken", 0.0};

  void Equations(EquationSet& eq) override {
    auto tick = eq.On(clock);
    tick.Set(sum) = 0.5 * sum + 0.25 * last + eq.time();
    tick.Set(last) = sum;
    eq.On(slow).Set(taken) = sum;
  }
};

std::shared_ptr<const Program> ProgramOf(Block& block) {
  Diagnostics diagnostics;
  auto program = Compile(Lower(block), diagnostics);
  diagnostics.ThrowIfErrors();
  return program;
}

std::shared_ptr<const Program> SamplerProgram() {
  Sampler sampler;
  return ProgramOf(sampler);
}

std::optional<TickPlan> PlanOf(const Program& program,
                               const std::vector<std::size_t>& ticking) {
  return PlanTicks(program, ticking);
}

// How often the plan runs the equations.
int NumSchedules(const TickPlan& plan) {
  int count = 0;
  for (const TickPlan::Stage& stage : plan.stages) {
    count += stage.runs_schedule ? 1 : 0;
  }
  return count;
}

std::vector<std::size_t> HandlersOf(const TickPlan::Stage& stage) {
  std::vector<std::size_t> handlers;
  for (const TickPlan::Action& action : stage.actions) {
    handlers.push_back(action.handler);
  }
  return handlers;
}

// How many previous values the plan takes.
std::uint32_t NumPre(const TickPlan& plan) {
  std::uint32_t count = 0;
  for (const TickPlan::Stage& stage : plan.stages) {
    for (const PreValues& pre : stage.pre) {
      count += pre.count;
    }
    for (const TickPlan::Action& action : stage.actions) {
      for (const TickPlan::Move& move : action.moves) {
        count += move.previous != move.to ? 1 : 0;
      }
    }
  }
  return count;
}

TEST(TickPlanTest, RunsOnlyTheHandlerOfABlocksClock) {
  const auto program = SamplerProgram();
  const auto plan = PlanOf(*program, {0});
  ASSERT_TRUE(plan);
  EXPECT_EQ(NumSchedules(*plan), 0);
  ASSERT_EQ(plan->stages.size(), 2);
  EXPECT_THAT(HandlersOf(plan->stages[0]), ElementsAre(0));
  EXPECT_THAT(HandlersOf(plan->stages[1]), IsEmpty());
}

TEST(TickPlanTest, TakesOnlyPreviousValuesThatHaveChanged) {
  const auto program = SamplerProgram();
  EXPECT_EQ(NumPre(PlanOf(*program, {0}).value()), 2);
  EXPECT_EQ(NumPre(PlanOf(*program, {1}).value()), 1);
  EXPECT_EQ(NumPre(PlanOf(*program, {0, 1}).value()), 3);
}

TEST(TickPlanTest, LetsAHandlerThatSeesAnotherOneFollowLater) {
  const auto program = SamplerProgram();
  ASSERT_EQ(program->events.handlers.size(), 2);
  ASSERT_TRUE(program->events.handlers[1].sees_earlier);
  const auto plan = PlanOf(*program, {0, 1});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->stages.size(), 3);
  EXPECT_THAT(HandlersOf(plan->stages[0]), ElementsAre(0));
  EXPECT_THAT(HandlersOf(plan->stages[1]), ElementsAre(1));
  EXPECT_THAT(HandlersOf(plan->stages[2]), IsEmpty());
}

TEST(TickPlanTest, RunsEquationsOnceForASampleOfModelica) {
  const auto program = CompileBody(
      "Real x(start = 0, fixed = true); equation"
      " when sample(0, 0.1) then x = 0.9*pre(x) + sin(time); end when;");
  const auto plan = PlanOf(*program, {0});
  ASSERT_TRUE(plan);
  EXPECT_EQ(NumSchedules(*plan), 1);
  EXPECT_TRUE(plan->stages.at(0).runs_schedule);
}

TEST(TickPlanTest, DoesNotExistWhereAConditionDependsOnValues) {
  const auto program = CompileBody(
      "Integer x(start = 0, fixed = true), n(start = 0, fixed = true);"
      "equation when sample(0, 0.25) then n = pre(n) + 1; end when;"
      "when mod(n, 3) == 0 then x = pre(x) + 10*n; end when;");
  EXPECT_FALSE(PlanOf(*program, {0}));
}

TEST(TickPlanTest, LeavesTheValuesOfTheRecurrence) {
  const auto program = SamplerProgram();
  const RunResult run = Simulate(program, {.stop = 60, .interval = 60});
  double sum = 0;
  double last = 0;
  double taken = 0;
  for (int k = 0; k <= 600; ++k) {
    const double next = 0.5 * sum + 0.25 * last + k / 10.0;
    last = sum;
    sum = next;
    taken = k % 3 == 0 ? sum : taken;
  }
  EXPECT_NEAR(run["sum"].final(), sum, 1e-12 * sum);
  EXPECT_NEAR(run["last"].final(), last, 1e-12 * last);
  EXPECT_NEAR(run["taken"].final(), taken, 1e-12 * taken);
  EXPECT_EQ(run.events.size(), 601 + 201);
}

// Each value is assigned before the other one is read.
struct Exchange : Block {
  Clock clock{this, "clock", 0.1};
  Discrete a{this, "a", 1.0};
  Discrete b{this, "b", 2.0};

  void Equations(EquationSet& eq) override {
    auto tick = eq.On(clock);
    tick.Set(a) = b;
    tick.Set(b) = a;
  }
};

TEST(TickPlanTest, ReadsAllValuesBeforeTheFirstAssignment) {
  Exchange block;
  const auto program = ProgramOf(block);
  for (const auto& [stop, a] : {std::pair{19.95, 1.0}, std::pair{20.05, 2.0}}) {
    const RunResult run = Simulate(program, {.stop = stop, .interval = stop});
    EXPECT_EQ(run["a"].final(), a) << stop;
    EXPECT_EQ(run["b"].final(), 3 - a) << stop;
  }
}

struct Root : Block {
  Clock clock{this, "clock", 0.1};
  Discrete root{this, "root", 0.0};

  void Equations(EquationSet& eq) override {
    eq.On(clock).Set(root) = sqrt(8.04 - eq.time());
  }
};

TEST(TickPlanTest, EndsARunWhereAValueIsNotFinite) {
  Root block;
  const RunResult run =
      Simulate(ProgramOf(block), {.stop = 20, .interval = 20});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNotFinite);
  EXPECT_EQ(run.summary.end_time, 8.1);
  EXPECT_THAT(run.summary.message, HasSubstr("sqrt(-0.06"));
}

TEST(TickPlanTest, AllocatesNothingForATick) {
  const auto program = SamplerProgram();
  const auto allocations = [&](double stop) {
    const int before = CountAllocations();
    const RunResult run = Simulate(
        program,
        {.stop = stop, .interval = stop, .code = CodeChoice::kInterpreted});
    EXPECT_EQ(run.summary.end_time, stop);
    return CountAllocations() - before;
  };
  allocations(20);  // Allocations of the first use.
  EXPECT_EQ(allocations(40), allocations(20));
}

}  // namespace
}  // namespace orrery
