// Relations that an algorithm evaluates are events of the run.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// The growth of q in ten seconds, with der(q) = y.
double GrowthOf(const std::string& body) {
  return Simulate(CompileBody("  Real y;\n"
                              "  Real q(start = 0, fixed = true);\n" +
                              body +
                              "equation\n"
                              "  der(q) = y;\n"),
                  {.stop = 10})["q"]
      .final();
}

// Duration of sin(6.28*t) > 0.9999, s.
const double kPulse = 2 * std::acos(0.9999) / 6.28;

TEST(AlgorithmEventsTest, AShortPulseOfWhatIsAssignedIsMet) {
  EXPECT_NEAR(GrowthOf(R"(
  Real v;
algorithm
  v := sin(6.28*time);
  y := 0;
  if v > 0.9999 then
    y := 1000;
  end if;
)"),
              10 * 1000 * kPulse,
              1e-6);
}

TEST(AlgorithmEventsTest, EveryPassOfALoopHasItsOwn) {
  EXPECT_NEAR(GrowthOf(R"(
  Real x[3];
algorithm
  y := 0;
  for i in 1:3 loop
    x[i] := sin(6.28*time + i);
    if x[i] > 0.9999 then
      y := y + 1000;
    end if;
  end for;
)"),
              30 * 1000 * kPulse,
              1e-5);
}

TEST(AlgorithmEventsTest, LoopsMayStandInEachOtherAndUnderAChoice) {
  EXPECT_NEAR(GrowthOf(R"(
  Real x[3] = {sin(6.28*time + i) for i in 1:3};
algorithm
  y := 0;
  for i in 1:2:3 loop
    for k in {1, 3} loop
      if time > 5 then
        y := y + (if k*x[i] > k*0.9999 then 500 else 0);
      end if;
    end for;
  end for;
)"),
              10 * 1000 * kPulse,
              1e-5);
}

TEST(AlgorithmEventsTest, SumsOfChoicesMeetThemAll) {
  EXPECT_NEAR(GrowthOf(R"(
  Real x[3] = {sin(6.28*time + i) for i in 1:3};
algorithm
  y := sum(if x[i] > 0.9999 then 1000 else 0 for i in 1:3);
)"),
              30 * 1000 * kPulse,
              1e-5);
}

TEST(AlgorithmEventsTest, WhatAChoiceGuardsIsAskedForInItOnly) {
  EXPECT_NEAR(GrowthOf(R"(
  Real v;
algorithm
  v := 5 - time;
  y := 0;
  if v > 0 then
    if sqrt(v) > 1 then
      y := 1;
    end if;
  end if;
)"),
              4,
              1e-9);
}

TEST(AlgorithmEventsTest, AVariableThatChangesBetweenIsComparedWhereItIs) {
  EXPECT_NEAR(GrowthOf(R"(
  Real v;
algorithm
  v := time;
  y := if v > 3 then 1 else 0;
  v := v - 5;
  y := y + (if v > 3 then 10 else 0);
)"),
              7 + 20,
              1e-9);
}

TEST(AlgorithmEventsTest, WhensCountWhatIsAssigned) {
  EXPECT_EQ(Simulate(CompileBody(R"(
  Real v;
  Integer n(start = 0, fixed = true);
algorithm
  v := sin(6.28*time);
  when v > 0.9999 then
    n := pre(n) + 1;
  end when;
)"),
                     {.stop = 10})["n"]
                .final(),
            10);
}

TEST(AlgorithmEventsTest, EveryPassOfALoopHasItsOwnWhenStatement) {
  const Trajectory result = Simulate(CompileBody(R"(
  Real x[3](start = {0, 0.5, -1}, each fixed = true);
  Integer n(start = 0, fixed = true);
  Integer at[3](each start = 0, each fixed = true);
  Real sums[3];
equation
  der(x) = {1, 1, 1};
algorithm
  for i in 1:3 loop
    sums[i] := sum(x[1:i]);
  end for;
  for i in 1:3 loop
    when x[i] > 1 then
      n := n + 1;
      at[i] := n;
    end when;
  end for;
)"),
                                     {.stop = 3});
  EXPECT_EQ(result["n"].final(), 3);
  EXPECT_EQ(result["at[1]"].final(), 2);
  EXPECT_EQ(result["at[2]"].final(), 1);
  EXPECT_EQ(result["at[3]"].final(), 3);
}

TEST(AlgorithmEventsTest, LoopsInLoopsMayHoldWhenStatements) {
  const Trajectory result = Simulate(CompileBody(R"(
  Integer n(start = 0, fixed = true);
algorithm
  for i in {1, 3}, j in 1:2 loop
    for k in 1:2 loop
      when time > i + j/10 + k/100 then
        n := pre(n) + 1;
      end when;
    end for;
  end for;
)"),
                                     {.stop = 3.15});
  EXPECT_EQ(result["n"].final(), 6);
}

TEST(AlgorithmEventsTest, ATimeThatItsOwnEventMovesIsInTheLog) {
  const RunResult run = Simulate(CompileBody(R"(
  discrete Real next(start = 0.25, fixed = true);
algorithm
  when time >= pre(next) then
    next := pre(next) + 0.25;
  end when;
)"),
                                 {.stop = 0.875});
  EXPECT_EQ(run.events.TimesOf("pre(next) <= time"),
            (std::vector<double>{0.25, 0.5, 0.75}));
}

// Each element has an equation with the same call; as many again have another
// call.
TEST(AlgorithmEventsTest, LongArraysAreShiftedByAWhenStatement) {
  const RunResult run = Simulate(CompileBody(R"(
  parameter Integer n = 3000;
  discrete Real a[n](each start = -1, each fixed = true);
  discrete Real b[n](each start = -2, each fixed = true);
algorithm
  when sample(0.125, 0.125) then
    for i in n:-1:2 loop
      a[i] := a[i - 1];
    end for;
    a[1] := time;
  end when;
algorithm
  when sample(0.25, 0.25) then
    for i in 1:n - 1 loop
      b[i] := b[i + 1];
    end for;
    b[n] := a[1];
  end when;
)"),
                                 {.stop = 1});
  EXPECT_EQ(run["a[1]"].final(), 1);
  EXPECT_EQ(run["a[8]"].final(), 0.125);
  EXPECT_EQ(run["a[9]"].final(), -1);
  EXPECT_EQ(run["a[3000]"].final(), -1);
  EXPECT_EQ(run["b[3000]"].final(), 1);
  EXPECT_EQ(run["b[2997]"].final(), 0.25);
  EXPECT_EQ(run["b[2996]"].final(), -2);
}

// The final value of `name` after two seconds.
double Final(const std::string& body, const std::string& name) {
  return Simulate(CompileBody(body), {.stop = 2})[name].final();
}

TEST(AlgorithmEventsTest, WhenStatementsSeeWhatEarlierOnesAssign) {
  const std::string body = R"(
  Real a(start = 0, fixed = true);
  Real b(start = 0, fixed = true);
  Real c(start = 0, fixed = true);
algorithm
  when time > 1 then
    a := 3;
  end when;
  when time > 1 then
    b := a + 1;
  end when;
  when time > 1.5 then
    c := 7;
  end when;
)";
  EXPECT_EQ(Final(body, "a"), 3);
  EXPECT_EQ(Final(body, "b"), 4);
  EXPECT_EQ(Final(body, "c"), 7);
}

TEST(AlgorithmEventsTest, TheLastOfSeveralAssignmentsAtOneEventCounts) {
  const std::string body = R"(
  Real a(start = 0, fixed = true);
  Real n(start = 0, fixed = true);
algorithm
  when time > 1 then
    n := n + 1;
    a := 3;
  end when;
  when time > 0.5 then
    n := n + 10;
  end when;
  when time > 1 then
    n := 2*n;
    a := 4;
  end when;
)";
  EXPECT_EQ(Final(body, "a"), 4);
  EXPECT_EQ(Final(body, "n"), 22);
}

TEST(AlgorithmEventsTest, AConditionSeesWhatEarlierStatementsAssign) {
  const std::string body = R"(
  Real a(start = 0, fixed = true);
  Real t(start = 0, fixed = true);
  Real u(start = 0, fixed = true);
algorithm
  when a > 2 then
    u := time;
  end when;
  when time > 1 then
    a := 3;
  end when;
  when a > 2 then
    t := time;
  end when;
)";
  EXPECT_NEAR(Final(body, "t"), 1, 1e-9);
  EXPECT_NEAR(Final(body, "u"), 1, 1e-9);
}

TEST(AlgorithmEventsTest, StatementsBesideWhenStatementsKeepTheirOrder) {
  const std::string body = R"(
  Real a(start = 0, fixed = true);
  Real b;
  Real c(start = 0, fixed = true);
algorithm
  when time > 0.5 then
    c := 5;
  end when;
  b := 2*a;
  when time > 1 then
    a := b + 1;
  end when;
  b := b + a;
)";
  EXPECT_EQ(Final(body, "a"), 1);
  EXPECT_EQ(Final(body, "b"), 3);
  EXPECT_EQ(Final(body, "c"), 5);
}

TEST(AlgorithmEventsTest, AThousandWhenStatementsCountTheirEvents) {
  std::string body =
      "  Real n(start = 0, fixed = true);\n"
      "  Real k[1000](each start = 0, each fixed = true);\n"
      "algorithm\n";
  for (int i = 1; i <= 1000; ++i) {
    const std::string number = std::to_string(i);
    body += "  when time > " + number + "/1000 then n := n + " + number +
            "; end when;\n  when time > " + number + "/1000 then k[" + number +
            "] := " + number + "; end when;\n";
  }
  const RunResult result = Simulate(CompileBody(body), {.stop = 0.5004});
  EXPECT_EQ(result["n"].final(), 500 * 501 / 2);
  EXPECT_EQ(result["k[500]"].final(), 500);
  EXPECT_EQ(result["k[501]"].final(), 0);
}

}  // namespace
}  // namespace orrery
