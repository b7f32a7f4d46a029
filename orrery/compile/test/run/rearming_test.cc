// Changes of relations that are no events, as nothing follows from them.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/compile/compile.h"
#include "orrery/model/block.h"
#include "orrery/model/lower.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/symbolic/print/print.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The relations that re-arm and their values then.
std::vector<std::string> RearmingIn(const Program& program) {
  std::vector<std::string> result;
  for (const WatchedRelation& relation : program.events.relations) {
    if (relation.rearming) {
      result.push_back(ToText(relation.formula, 80) +
                       (relation.rearming->truth ? ": true" : ": false"));
    }
  }
  return result;
}

std::vector<std::string> RearmingInBody(const std::string& body) {
  return RearmingIn(*CompileBody(body));
}

std::vector<double> TimesIn(const EventLog& log) {
  std::vector<double> times;
  for (const EventLog::Entry& entry : log.entries()) {
    times.push_back(entry.t);
  }
  return times;
}

// Expects the same bits as from a run in which nothing re-arms because all is
// recorded.
RunResult RunAsWithoutRearming(const std::shared_ptr<const Program>& program,
                               std::string_view name) {
  SimulationOptions options = {.stop = 10};
  const RunResult run = Simulate(program, options);
  options.record = {"*"};
  const RunResult full = Simulate(program, options);
  EXPECT_FALSE(program->events.rearmed_slots.empty());
  EXPECT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(TimesIn(run.events), TimesIn(full.events));
  EXPECT_EQ(run[name].final(), full[name].final());
  EXPECT_EQ(run.summary.steps, full.summary.steps);
  return run;
}

TEST(RearmingTest, ValuesBeforeEventsStandInTheOrderOfWhatTheyAreOf) {
  const auto program = CompileBody(
      "  Real h[3](each start = 1, each fixed = true);\n"
      "  Integer n[3](each start = 0, each fixed = true);\n"
      "equation\n"
      "  for i in 1:3 loop\n"
      "    der(h[i]) = -i;\n"
      "    when h[i] <= 0 then\n"
      "      n[i] = pre(n[i]) + 1;\n"
      "      reinit(h[i], 1);\n"
      "    end when;\n"
      "  end for;\n");
  std::vector<std::uint32_t> counts;
  for (const PreValues& pre : program->events.pre) {
    counts.push_back(pre.count);
  }
  EXPECT_THAT(counts, ElementsAre(6));  // n, and the conditions.
}

TEST(RearmingTest, AConditionReArmsWhenItBecomesFalse) {
  EXPECT_THAT(RearmingInBody("  Real h(start = 1, fixed = true);\n"
                             "equation\n"
                             "  der(h) = -1;\n"
                             "  when h <= 0 then\n"
                             "    reinit(h, 1);\n"
                             "  end when;\n"),
              ElementsAre("h <= 0: false"));
}

TEST(RearmingTest, ANegatedConditionReArmsWhenItsRelationBecomesTrue) {
  EXPECT_THAT(RearmingInBody("  Real h(start = 1, fixed = true);\n"
                             "equation\n"
                             "  der(h) = -1;\n"
                             "  when not h > 0 then\n"
                             "    reinit(h, 1);\n"
                             "  end when;\n"),
              ElementsAre("h > 0: true"));
}

TEST(RearmingTest, AConditionThatIsShownDoesNotReArm) {
  EXPECT_THAT(RearmingInBody("  Real h(start = 1, fixed = true);\n"
                             "  Boolean is_down = h <= 0;\n"
                             "equation\n"
                             "  der(h) = -1;\n"
                             "  when is_down then\n"
                             "    reinit(h, 1);\n"
                             "  end when;\n"),
              IsEmpty());
}

TEST(RearmingTest, WhatMovesByARelationKeepsItFromReArming) {
  EXPECT_THAT(RearmingInBody("  Real h(start = 1, fixed = true);\n"
                             "equation\n"
                             "  der(h) = if h <= 0 then 2 else -1;\n"
                             "  when h <= 0 then\n"
                             "    reinit(h, 1);\n"
                             "  end when;\n"),
              IsEmpty());
}

TEST(RearmingTest, BothEdgesOfARelationAreEventsWhereClausesWaitForBoth) {
  EXPECT_THAT(RearmingInBody("  Real h(start = 1, fixed = true);\n"
                             "  Integer n(start = 0, fixed = true);\n"
                             "equation\n"
                             "  der(h) = cos(time);\n"
                             "  when {h <= 0, not h <= 0} then\n"
                             "    n = pre(n) + 1;\n"
                             "  end when;\n"),
              IsEmpty());
}

TEST(RearmingTest, AKinkKeepsTheSameRelationFromReArming) {
  EXPECT_THAT(RearmingInBody("  Real h(start = 1, fixed = true);\n"
                             "  Real x(start = 0, fixed = true);\n"
                             "equation\n"
                             "  der(h) = -1;\n"
                             "  der(x) = abs(h);\n"
                             "  when h < 0.0 then\n"
                             "    reinit(x, 1);\n"
                             "  end when;\n"),
              IsEmpty());
}

TEST(RearmingTest, ABouncingBallIsTheSameAsWithoutReArming) {
  const auto program = CompileBody(
      "  Real h(start = 10, fixed = true);\n"
      "  Real v(start = 0, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\n"
      "equation\n"
      "  der(h) = v;\n"
      "  der(v) = -9.81;\n"
      "  when h <= 0 then\n"
      "    reinit(v, -0.8*pre(v));\n"
      "    n = pre(n) + 1;\n"
      "  end when;\n");
  const RunResult run = RunAsWithoutRearming(program, "h");
  EXPECT_EQ(run["n"].final(), 7);
  EXPECT_NEAR(TimesIn(run.events)[1], 2.6 * std::sqrt(20 / 9.81), 1e-13);
}

TEST(RearmingTest, PartsOfAConditionReArmOneByOne) {
  const auto program = CompileBody(
      "  Real x(start = 0, fixed = true);\n"
      "  Real y(start = 1, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = cos(time);\n"
      "  der(y) = -2*sin(2*time);\n"
      "  when x > 0.5 and y > 0 then\n"
      "    n = pre(n) + 1;\n"
      "  end when;\n");
  EXPECT_THAT(RearmingIn(*program),
              ElementsAre("x > 0.5: false", "y > 0: false"));
  const RunResult run = RunAsWithoutRearming(program, "n");
  EXPECT_EQ(run["n"].final(), 4);
  using std::numbers::pi;
  const std::vector<double> expected = {
      pi / 6, 3 * pi / 4, 13 * pi / 6, 11 * pi / 4};
  EXPECT_THAT(TimesIn(run.events),
              testing::Pointwise(testing::DoubleNear(1e-5), expected));
}

TEST(RearmingTest, ElsewhenBranchesReArmEach) {
  const auto program = CompileBody(
      "  Real x(start = 0, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = cos(time);\n"
      "  when x > 0.5 then\n"
      "    n = pre(n) + 1;\n"
      "  elsewhen x < -0.5 then\n"
      "    n = pre(n) + 10;\n"
      "  end when;\n");
  const RunResult run = RunAsWithoutRearming(program, "n");
  EXPECT_EQ(run["n"].final(), 22);  // From pi/6 and 7 pi/6 on, every 2 pi.
}

// Counts when cos(time) falls below zero, or is no longer within 0.1 of it.
struct FallCounter : Block {
  State x{this, "x", 0.0};
  Event falls;
  Discrete n{this, "n", 0.0};

  explicit FallCounter(double tolerance)
      : falls(this, "falls", Direction::kFalling, tolerance) {}

  void Equations(EquationSet& eq) override {
    eq.Der(x) = 1;
    eq.Set(falls) = cos(x);
    eq.On(falls).Set(n) = n + 1;
  }
};

TEST(RearmingTest, AnEventOfABlockReArmsBeyondItsTolerance) {
  FallCounter counter(0.1);
  Diagnostics diagnostics;
  const auto program = Compile(Lower(counter), diagnostics);
  const RunResult run = RunAsWithoutRearming(program, "n");
  const double first = std::numbers::pi / 2 + std::asin(0.1);
  ASSERT_THAT(
      TimesIn(run.events),
      ElementsAre(testing::DoubleNear(first, 1e-12),
                  testing::DoubleNear(first + 2 * std::numbers::pi, 1e-12)));
  EXPECT_EQ(run["n"].final(), 2);
}

}  // namespace
}  // namespace orrery
