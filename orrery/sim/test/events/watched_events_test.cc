// Events that are only watched: by requirement 2 a run goes on with the present
// step if an event has no handlers.

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/compile.h"
#include "orrery/model/block.h"
#include "orrery/model/lower.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

std::vector<Method> AllMethods() {
  std::vector<Method> all;
  for (const MethodName& name : kMethodNames) {
    all.push_back(name.method);
  }
  return all;
}

constexpr const char* kWatchedCircle =
    "Real q(start = 1, fixed = true), v(start = 0, fixed = true);";
constexpr const char* kWatchedMotion = "der(q) = v; der(v) = -q;";

RunResult RunCircle(Method method, const std::string& watching) {
  SimulationOptions options{.stop = 4, .method = method, .interval = 4};
  if (HasFixedStep(method)) {
    options.step = 0.4;
  }
  const std::size_t parts = watching.find("equation");
  const std::string declared = watching.substr(0, parts);
  const std::string equations =
      parts == std::string::npos ? "" : watching.substr(parts + 8);
  RunResult run = Simulate(CompileBody(kWatchedCircle + declared + "equation " +
                                       kWatchedMotion + equations),
                           options);
  EXPECT_EQ(run.summary.message, "");
  return run;
}

class WatchedEventTest : public testing::TestWithParam<Method> {};

TEST_P(WatchedEventTest, ChangesNeitherStepsNorStates) {
  const RunResult alone = RunCircle(GetParam(), "");
  for (const char* const watching :
       {"Boolean b = q > 0.5;",
        "Real y = if q > 0.5 then 2*v else 3;",
        "Real y = abs(q - 0.5) + max(v, 0.2);",
        "Integer n(start = 0, fixed = true); equation"
        " when {q > 0.5, v > 0.3} then n = pre(n) + 1; end when;",
        "Real last(start = 0, fixed = true), most; equation"
        " when q < 0 then last = time; end when;"
        " most = max(last, q);",
        "equation assert(q > 0.5, \"small\", AssertionLevel.warning);"}) {
    const RunResult beside = RunCircle(GetParam(), watching);
    EXPECT_EQ(beside.summary.steps, alone.summary.steps) << watching;
    EXPECT_EQ(beside["q"].final(), alone["q"].final()) << watching;
    EXPECT_EQ(beside["v"].final(), alone["v"].final()) << watching;
  }
}

INSTANTIATE_TEST_SUITE_P(AllMethods,
                         WatchedEventTest,
                         testing::ValuesIn(AllMethods()),
                         [](const auto& method) {
                           std::string name(NameOf(method.param).name);
                           std::erase(name, '-');
                           return name;
                         });

std::shared_ptr<const Program> CompiledBlock(Block& block) {
  Diagnostics diagnostics;
  auto program = Compile(Lower(block), diagnostics);
  diagnostics.ThrowIfErrors();
  return program;
}

struct Growth : Block {
  State x{this, "x", 1.0};
  Event passed{this, "passed"};

  void Equations(EquationSet& eq) override {
    eq.Der(x) = x;
    eq.Set(passed) = x - 1.5;
  }
};

struct CountedGrowth : Growth {
  Discrete count{this, "count", 0.0};

  void Equations(EquationSet& eq) override {
    Growth::Equations(eq);
    eq.On(passed).Set(count) = count + 1;
  }
};

// For each method, x(2) is the square of the result of one step from 1; AB2
// begins by a step of Euler: 2 + 3/2 2 - 1/2 1.
TEST(WatchedEventTest, ABlockWithoutHandlersGrowsAsByTheMethodAlone) {
  struct Case {
    Method method;
    double x;
  };

  constexpr double kRungeKutta4 = 65.0 / 24;
  for (const Case& one :
       {Case{Method::kEuler, 4},
        Case{Method::kAdamsBashforth2, 4.5},
        Case{Method::kHeun, 6.25},
        Case{Method::kMidpoint, 6.25},
        Case{Method::kTrapezoid, 9},
        Case{Method::kRungeKutta4, kRungeKutta4 * kRungeKutta4}}) {
    Growth growth;
    const RunResult run = Simulate(
        CompiledBlock(growth), {.stop = 2, .method = one.method, .step = 1});
    EXPECT_NEAR(run["x"].final(), one.x, 1e-12);
    EXPECT_EQ(run.summary.steps, 2);
    ASSERT_EQ(run.events.size(), 1);
    EXPECT_GT(run.events.entries()[0].t, 0);
    EXPECT_LT(run.events.entries()[0].t, 1);
  }
}

TEST(WatchedEventTest, AHandlerThatOnlyCountsKeepsTheStep) {
  CountedGrowth growth;
  const RunResult run = Simulate(
      CompiledBlock(growth), {.stop = 2, .method = Method::kEuler, .step = 1});
  EXPECT_EQ(run["x"].final(), 4);
  EXPECT_EQ(run.summary.steps, 2);
  EXPECT_EQ(run["count"].final(), 1);
}

// x1 = 1/2, x2 = 1/4.
TEST(WatchedEventTest, ImplicitEulerKeepsItsStep) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 1, fixed = true);"
                           "Boolean b = x < 0.6; equation der(x) = -x;"),
               {.stop = 2, .method = Method::kImplicitEuler, .step = 1});
  EXPECT_NEAR(run["x"].final(), 0.25, 1e-15);
  EXPECT_EQ(run.summary.steps, 2);
}

// A step of 1/8 s twice, and the event at its end: one row there, not two.
TEST(WatchedEventTest, AtTheEndOfAStepThereIsOneRow) {
  const RunResult run = Simulate(
      CompileBody("Real x(start = 0, fixed = true);"
                  "Boolean b; equation der(x) = 1; b = x >= 0.125;"),
      {.stop = 0.25, .method = Method::kEuler, .step = 0.125, .record = {"x"}});
  EXPECT_EQ(run.trajectory.rows(), 3);
  EXPECT_EQ(run.summary.steps, 2);
}

// der(x) is 1, then 3 from x = 0.25 on: x(1) = 0.25 + 3*0.75.
TEST(WatchedEventTest, WhatDerivativesSeeStillCutsTheStep) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 0, fixed = true); Real k;"
                           "equation der(x) = k;"
                           "k = if x >= 0.25 then 3 else 1;"),
               {.stop = 1, .method = Method::kEuler, .step = 0.5});
  EXPECT_NEAR(run["x"].final(), 2.5, 1e-12);
}

}  // namespace
}  // namespace orrery
