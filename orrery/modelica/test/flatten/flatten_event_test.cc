#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/modelica/elaboration/evaluator.h"
#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;

// The equations, which follow the declarations.
std::string EquationsOf(const std::string& text) {
  const std::string dump = DumpOf(text);
  std::string equations;
  std::size_t at = 0;
  while (at < dump.size()) {
    const std::size_t end = dump.find('\n', at) + 1;
    const std::string line = dump.substr(at, end - at);
    const bool is_equation =
        line.find(" = ") != std::string::npos && !line.starts_with("parameter");
    if (is_equation || !equations.empty()) {
      equations += line;
    }
    at = end;
  }
  return equations;
}

TEST(FlattenEventTest, MakesAReinitActiveWhenItsConditionBecomesTrue) {
  EXPECT_EQ(DumpOf("model Ball\n"
                   "  Real h(start=1, fixed=true);\n"
                   "  Real v(start=0, fixed=true);\n"
                   "equation\n"
                   "  der(h) = v;\n"
                   "  der(v) = -9.81;\n"
                   "  when h <= 0 then\n"
                   "    reinit(v, -0.8*pre(v));\n"
                   "  end when;\n"
                   "end Ball;\n"),
            "Real h, start 1, fixed\n"
            "Real v, start 0, fixed\n"
            "protected discrete Boolean when1.condition\n"
            "der(h) = v\n"
            "der(v) = -9.81\n"
            "when1.condition = h <= 0\n"
            "when when1.condition and not pre(when1.condition) and not "
            "initial(): reinit v = -0.8*pre(v)\n");
}

TEST(FlattenEventTest, KeepsWhatNoBranchAssigns) {
  EXPECT_EQ(EquationsOf("model M\n"
                        "  Real x(start=0);\n"
                        "  Integer n;\n"
                        "equation\n"
                        "  x = time;\n"
                        "  when x > 1 then\n"
                        "    n = pre(n) + 1;\n"
                        "  elsewhen x > 2 then\n"
                        "    n = 7;\n"
                        "  end when;\n"
                        "end M;\n"),
            "x = time\n"
            "when1.condition = x > 1\n"
            "when1.condition2 = x > 2\n"
            "n = if when1.condition and not pre(when1.condition) and not "
            "initial() then pre(n) + 1 elseif when1.condition2 and not "
            "pre(when1.condition2) and not initial() then 7 else pre(n)\n");
}

TEST(FlattenEventTest, ASampleByItselfIsActiveWhenItIsTrue) {
  EXPECT_EQ(DumpOf("model M\n"
                   "  parameter Real T = 0.1;\n"
                   "  Real y;\n"
                   "equation\n"
                   "  when sample(0, T) then\n"
                   "    y = time;\n"
                   "  end when;\n"
                   "end M;\n"),
            "parameter Real T = 0.1\n"
            "discrete Real y\n"
            "y = if sample(0, T) then time else pre(y)\n");
}

// The flat equations of a model with these declarations and equations.
std::string Flat(const std::string& declarations,
                 const std::string& equations) {
  return EquationsOf("model M\n" + declarations + "equation\n" + equations +
                     "end M;\n");
}

TEST(FlattenEventTest, AConditionOfSeveralIsActiveWithEach) {
  EXPECT_EQ(Flat("  Boolean b = time > 1;\n  Real y;\n",
                 "  when {b, sample(0, 1), initial()} then\n"
                 "    y = time;\n"
                 "  end when;\n"),
            "b = time > 1\n"
            "when1.condition_1 = b\n"
            "y = if when1.condition_1 and not pre(when1.condition_1) and not "
            "initial() or sample(0, 1) or initial() then time else pre(y)\n");
}

TEST(FlattenEventTest, AVectorOfBooleansIsActiveWithEachElement) {
  EXPECT_THAT(DumpOf("model M\n"
                     "  Boolean b[2] = {time > 1, time > 2};\n"
                     "  Integer n;\n"
                     "equation\n"
                     "  when b then\n"
                     "    n = pre(n) + 1;\n"
                     "  end when;\n"
                     "end M;\n"),
              HasSubstr("when1.condition_1 = b[1]\n"
                        "when1.condition_2 = b[2]\n"));
}

TEST(FlattenEventTest, NumbersWhenClausesOfAComponentAndAvoidsItsNames) {
  EXPECT_THAT(DumpOf("model M\n"
                     "  block B\n"
                     "    Real when1 = time;\n"
                     "    Integer n;\n"
                     "  equation\n"
                     "    when when1 > 1 then\n"
                     "      n = 1;\n"
                     "    end when;\n"
                     "  end B;\n"
                     "  B b;\n"
                     "end M;\n"),
              HasSubstr("b.when2.condition = b.when1 > 1\n"));
}

TEST(FlattenEventTest, AssignsArraysElementsAndRecords) {
  EXPECT_EQ(Flat("  record R\n"
                 "    Real a;\n"
                 "    Real b;\n"
                 "  end R;\n"
                 "  Real x[3];\n"
                 "  Real z[2];\n"
                 "  R r;\n",
                 "  when sample(0, 1) then\n"
                 "    x = {1, 2, 3}*time;\n"
                 "    for i in 1:2 loop\n"
                 "      z[i] = x[i] + pre(z[i]);\n"
                 "    end for;\n"
                 "    r = R(time, 2);\n"
                 "  end when;\n"),
            "x = if sample(0, 1) then {1, 2, 3}*time else pre(x)\n"
            "z[1] = if sample(0, 1) then x[1] + pre(z[1]) else pre(z[1])\n"
            "z[2] = if sample(0, 1) then x[2] + pre(z[2]) else pre(z[2])\n"
            "r.a = if sample(0, 1) then time else pre(r.a)\n"
            "r.b = if sample(0, 1) then 2 else pre(r.b)\n");
}

TEST(FlattenEventTest, BranchesMayAssignAnArrayWholeAndByElements) {
  EXPECT_EQ(Flat("  Real x[2];\n",
                 "  when sample(0, 1) then\n"
                 "    x = {time, 2};\n"
                 "  elsewhen sample(0, 2) then\n"
                 "    x[1] = 3;\n"
                 "    x[2] = 4;\n"
                 "  end when;\n"),
            "x[1] = if sample(0, 1) then time elseif sample(0, 2) then 3 else "
            "pre(x[1])\n"
            "x[2] = if sample(0, 1) then 2 elseif sample(0, 2) then 4 else "
            "pre(x[2])\n");
}

TEST(FlattenEventTest, AssignsTheOutputsOfAFunction) {
  EXPECT_EQ(Flat("  function f\n"
                 "    input Real u;\n"
                 "    output Real a = 2*u;\n"
                 "    output Real b = 3*u;\n"
                 "  algorithm\n"
                 "  end f;\n"
                 "  Real x;\n"
                 "  Real y;\n",
                 "  when sample(0, 1) then\n"
                 "    (x, y) = f(time);\n"
                 "  end when;\n"),
            "x = if sample(0, 1) then M.f(time).a else pre(x)\n"
            "y = if sample(0, 1) then M.f(time).b else pre(y)\n");
}

TEST(FlattenEventTest, AnIfInAWhenChoosesWhatIsAssigned) {
  EXPECT_EQ(Flat("  Real x;\n  Real v;\n",
                 "  der(v) = 1;\n"
                 "  when sample(0, 1) then\n"
                 "    if time > 2 then\n"
                 "      x = 1;\n"
                 "      reinit(v, 0);\n"
                 "    else\n"
                 "      x = pre(x) + 1;\n"
                 "    end if;\n"
                 "  end when;\n"),
            "der(v) = 1\n"
            "x = if sample(0, 1) then (if noEvent(time > 2) then 1 else "
            "pre(x) + 1) else pre(x)\n"
            "when sample(0, 1) and noEvent(time > 2): reinit v = 0\n");
}

TEST(FlattenEventTest, WhatAWhenClauseComputesMakesNoEvents) {
  EXPECT_EQ(Flat("  Real x;\n  Real v;\n",
                 "  der(v) = 1;\n"
                 "  when sample(0, 1) then\n"
                 "    x = abs(v);\n"
                 "    reinit(v, min(v, 1));\n"
                 "    assert(x > 2, \"small\");\n"
                 "  end when;\n"),
            "der(v) = 1\n"
            "x = if sample(0, 1) then noEvent(abs(v)) else pre(x)\n"
            "when sample(0, 1): reinit v = noEvent(min(v, 1))\n"
            "assert if sample(0, 1) then noEvent(x > 2) else true: "
            "\"small\"\n");
}

TEST(FlattenEventTest, AnAssertionAmongInitialEquationsHoldsAtTheStart) {
  EXPECT_THAT(DumpOf("model M\n"
                     "  Real x = time;\n"
                     "initial equation\n"
                     "  assert(x < 1, \"late\");\n"
                     "end M;\n"),
              HasSubstr("assert if initial() then x < 1 else true: "
                        "\"late\"\n"));
}

TEST(FlattenEventTest, ALaterBranchReinitsIfNoEarlierOneIsActive) {
  EXPECT_THAT(DumpOf("model M\n"
                     "  Real v(start=0);\n"
                     "equation\n"
                     "  der(v) = 1;\n"
                     "  when sample(0, 1) then\n"
                     "    reinit(v, 1);\n"
                     "  elsewhen sample(0, 2) then\n"
                     "    reinit(v, 2);\n"
                     "  end when;\n"
                     "end M;\n"),
              HasSubstr("when sample(0, 1): reinit v = 1\n"
                        "when sample(0, 2) and not sample(0, 1): reinit v = "
                        "2\n"));
}

TEST(FlattenEventTest, ReinitsArraysElementByElement) {
  EXPECT_THAT(DumpOf("model M\n"
                     "  Real v[2](each start=0);\n"
                     "equation\n"
                     "  der(v) = {1, 2};\n"
                     "  when sample(0, 1) then\n"
                     "    reinit(v, -pre(v));\n"
                     "  end when;\n"
                     "end M;\n"),
              HasSubstr("reinit v[1] = -pre(v[1])\n"
                        "when sample(0, 1): reinit v[2] = -pre(v[2])\n"));
}

TEST(FlattenEventTest, AReinitAtTheStartIsAnInitialEquation) {
  EXPECT_EQ(Flat("  Real v;\n",
                 "  der(v) = 1;\n"
                 "  when {initial(), sample(1, 1)} then\n"
                 "    reinit(v, 3);\n"
                 "  end when;\n"),
            "der(v) = 1\n"
            "initial v = 3\n"
            "when (initial() or sample(1, 1)) and not initial(): reinit v = "
            "3\n");
}

TEST(FlattenEventTest, WritesLoopsAroundWhenClausesOut) {
  EXPECT_EQ(Flat("  Real y[2];\n",
                 "  for i in 1:2 loop\n"
                 "    when sample(0, i) then\n"
                 "      y[i] = time;\n"
                 "    end when;\n"
                 "  end for;\n"),
            "y[1] = if sample(0, 1) then time else pre(y[1])\n"
            "y[2] = if sample(0, 2) then time else pre(y[2])\n");
}

TEST(FlattenEventTest, MakesEveryKindOfAssignedRealDiscrete) {
  const std::string dump = DumpOf(
      "model M\n"
      "  block B\n"
      "    output Real y;\n"
      "  equation\n"
      "    when sample(0, 1) then\n"
      "      y = time;\n"
      "    end when;\n"
      "  end B;\n"
      "  B b;\n"
      "  discrete Real d;\n"
      "  Real c;\n"
      "equation\n"
      "  c = 2*b.y;\n"
      "  when sample(0, 1) then\n"
      "    d = c;\n"
      "  end when;\n"
      "end M;\n");
  EXPECT_THAT(dump, HasSubstr("discrete Real b.y\n"));
  EXPECT_THAT(dump, HasSubstr("discrete Real d\n"));
  EXPECT_THAT(dump, HasSubstr("\nReal c\n"));
}

TEST(FlattenEventTest, KnowsTheOperatorsOfValuesBeforeEvents) {
  EXPECT_EQ(Flat("  Boolean b = time > 1;\n"
                 "  Integer n = if b then 1 else 2;\n"
                 "  parameter Integer p = 3;\n"
                 "  Boolean e = edge(b);\n"
                 "  Boolean c = change(n);\n"
                 "  Integer m = pre(n) + pre(p);\n"
                 "  Boolean s = initial() or terminal();\n",
                 ""),
            "b = time > 1\n"
            "n = if b then 1 else 2\n"
            "e = b and not pre(b)\n"
            "c = n <> pre(n)\n"
            "m = pre(n) + p\n"
            "s = initial() or terminal()\n");
}

TEST(FlattenEventTest, InitialIsTrueAmongInitialEquations) {
  EXPECT_THAT(DumpOf("model M\n"
                     "  Real x;\n"
                     "initial equation\n"
                     "  x = if initial() then 1 else 2;\n"
                     "equation\n"
                     "  der(x) = 1;\n"
                     "end M;\n"),
              HasSubstr("initial x = 1\n"));
}

TEST(FlattenEventTest, DelaysScalarsAndArrays) {
  EXPECT_EQ(Flat("  parameter Real T = 0.5;\n"
                 "  Real x = time;\n"
                 "  Real y = delay(x, T);\n"
                 "  Real z[2] = delay({x, y}, y/2, 3*T);\n",
                 ""),
            "x = time\n"
            "y = delay(x, T, T)\n"
            "z = {delay({x, y}[i1], y/2, 3*T) for i1 in 1:2}\n");
}

TEST(FlattenEventTest, IntegerJumpsWhereFloorDoes) {
  EXPECT_EQ(Flat("  Integer n = integer(2*time);\n"
                 "  Integer m[2] = integer({time, 3.7});\n",
                 ""),
            "n = integer(floor(2*time))\n"
            "m = {integer(floor({time, 3.7}[i1])) for i1 in 1:2}\n");
}

TEST(FlattenEventTest, KeepsAssertionsOfTheRunWithTheirTexts) {
  EXPECT_EQ(Flat("  parameter Real most = 5;\n"
                 "  Real x = time;\n"
                 "  Integer n = integer(x);\n",
                 "  assert(x < most, \"x is \" + String(x) + \" > \" +\n"
                 "    String(most, significantDigits=3));\n"
                 "  assert(n < 4, \"many\", AssertionLevel.warning);\n"
                 "  assert(2 > 0, \"always\");\n"),
            "x = time\n"
            "n = integer(floor(x))\n"
            "assert x < most: \"x is \" x \" > \" most:3\n"
            "warn n < 4: \"many\"\n");
}

TEST(FlattenEventTest, KeepsAssertionsOnParametersThatMayBeSetForARun) {
  EXPECT_EQ(Flat("  parameter Real most = 5;\n"
                 "  Real x = time;\n",
                 "  assert(most > 0, \"positive\");\n"),
            "x = time\n"
            "assert most > 0: \"positive\"\n");
}

TEST(FlattenEventTest, AnAssertionThatNeverHoldsFailsWhereItsConditionDoes) {
  EXPECT_EQ(Flat("  Real x = time;\n",
                 "  if x > 1 then\n"
                 "    assert(false, \"too far\");\n"
                 "  end if;\n"),
            "x = time\n"
            "assert if x > 1 then false else true: \"too far\"\n");
}

TEST(FlattenEventTest, AnAssertionUnderAConditionHoldsWhereItDoesNot) {
  EXPECT_EQ(Flat("  Real x = time;\n",
                 "  if x > 1 then\n"
                 "    assert(log(x) < 2, \"large\");\n"
                 "  end if;\n"),
            "x = time\n"
            "assert if x > 1 then log(x) < 2 else true: \"large\"\n");
}

TEST(FlattenEventTest, WritesLoopsAroundAssertionsOut) {
  EXPECT_EQ(Flat("  Real x[2] = {time, 2*time};\n",
                 "  for i in 1:2 loop\n"
                 "    assert(x[i] < i, \"x\" + String(i));\n"
                 "  end for;\n"),
            "x = {time, 2*time}\n"
            "assert x[1] < 1: \"x1\"\n"
            "assert x[2] < 2: \"x2\"\n");
}

TEST(FlattenEventTest, BranchesMayAssignThousandsOfElementsInAnyOrder) {
  const std::string equations = Flat(
      "  parameter Integer n = 20000;\n"
      "  discrete Real y[n];\n",
      "  when sample(0, 1) then\n"
      "    for i in 1:n loop y[i] = i; end for;\n"
      "  elsewhen sample(0, 3) then\n"
      "    for i in 1:n loop y[n + 1 - i] = -i; end for;\n"
      "  end when;\n");
  EXPECT_THAT(equations,
              HasSubstr("\ny[3] = if sample(0, 1) then 3 elseif sample(0, 3) "
                        "then -19998 else pre(y[3])\n"));
}

TEST(FlattenEventTest, TerminatesUnderItsConditions) {
  EXPECT_EQ(Flat("  Real x = time;\n",
                 "  when x > 3 then\n"
                 "    terminate(\"at \" + String(x));\n"
                 "  end when;\n"
                 "  if x > 9 then\n"
                 "    terminate(\"late\");\n"
                 "  end if;\n"),
            "x = time\n"
            "when1.condition = x > 3\n"
            "terminate when1.condition and not pre(when1.condition) and not "
            "initial(): \"at \" x\n"
            "terminate x > 9: \"late\"\n");
}

TEST(FlattenEventTest, TerminatesAtTheStartWhereThatIsAnInitialEquation) {
  EXPECT_EQ(Flat("  Real x = 2;\n",
                 "initial equation\n"
                 "  terminate(\"enough\");\n"
                 "  if x > 9 then\n"
                 "    terminate(\"late\");\n"
                 "  end if;\n"),
            "x = 2\n"
            "terminate initial(): \"enough\"\n"
            "terminate initial() and x > 9: \"late\"\n");
}

// Algorithms ----------------------------------------------------------------

TEST(FlattenEventTest, AWhenStatementFindsItsConditionOut) {
  EXPECT_EQ(DumpOf("model M\n"
                   "  Real x(start=0);\n"
                   "  Integer n(start=4);\n"
                   "equation\n"
                   "  der(x) = 1;\n"
                   "algorithm\n"
                   "  when x > 1 then\n"
                   "    n := n + 1;\n"
                   "  end when;\n"
                   "end M;\n"),
            "Real x, start 0\n"
            "discrete Integer n, start 4\n"
            "protected discrete Boolean when1.condition\n"
            "der(x) = 1\n"
            "when1.condition = x > 1\n"
            "n = if initial() then pre(n) else algorithm(when1.condition, "
            "pre(when1.condition), initial(), pre(n))\n");
}

TEST(FlattenEventTest, WhenStatementsWithNothingInCommonAreAlgorithmsEach) {
  EXPECT_EQ(Flat("  Real x = time;\n"
                 "  Integer n;\n"
                 "  Integer m;\n"
                 "  Integer k;\n"
                 "algorithm\n"
                 "  when x > 1 then\n"
                 "    n := 1;\n"
                 "  end when;\n"
                 "  when x > 2 then\n"
                 "    m := 2;\n"
                 "  end when;\n"
                 "  when x > 3 then\n"
                 "    n := n + 3;\n"
                 "  end when;\n"
                 "  when x > 4 then\n"
                 "    k := n;\n"
                 "  end when;\n",
                 ""),
            "x = time\n"
            "when1.condition = x > 1\n"
            "when3.condition = x > 3\n"
            "when4.condition = x > 4\n"
            "n = if initial() then pre(n) else algorithm(when1.condition, "
            "pre(when1.condition), initial(), when3.condition, "
            "pre(when3.condition), when4.condition, pre(when4.condition), "
            "pre(n), pre(k)).n\n"
            "k = if initial() then pre(k) else algorithm(when1.condition, "
            "pre(when1.condition), initial(), when3.condition, "
            "pre(when3.condition), when4.condition, pre(when4.condition), "
            "pre(n), pre(k)).k\n"
            "when2.condition = x > 2\n"
            "m = if initial() then pre(m) else algorithm(initial(), "
            "when2.condition, pre(when2.condition), pre(m))\n");
}

TEST(FlattenEventTest, AConditionOfWhatAnAlgorithmAssignsStaysInIt) {
  EXPECT_EQ(Flat("  Integer n;\n"
                 "  Integer m;\n"
                 "algorithm\n"
                 "  when time > 1 then\n"
                 "    n := 1;\n"
                 "  end when;\n"
                 "  when n > 0 then\n"
                 "    m := 2;\n"
                 "  end when;\n",
                 ""),
            "when1.condition = time > 1\n"
            "n = if initial() then pre(n) else algorithm(when1.condition, "
            "pre(when1.condition), initial(), pre(when2.condition), pre(n), "
            "pre(m)).n\n"
            "m = if initial() then pre(m) else algorithm(when1.condition, "
            "pre(when1.condition), initial(), pre(when2.condition), pre(n), "
            "pre(m)).m\n"
            "when2.condition = algorithm(when1.condition, "
            "pre(when1.condition), initial(), pre(when2.condition), pre(n), "
            "pre(m)).when2.condition\n");
}

TEST(FlattenEventTest, ARealOfAWhenStatementIsDiscrete) {
  EXPECT_THAT(DumpOf("model M\n"
                     "  Real y;\n"
                     "algorithm\n"
                     "  when sample(0, 1) then\n"
                     "    y := pre(y) + 1;\n"
                     "  end when;\n"
                     "end M;\n"),
              HasSubstr("discrete Real y\n"
                        "y = if initial() then pre(y) else "
                        "algorithm(sample(0, 1), pre(y))\n"));
}

TEST(FlattenEventTest, RelationsOfWhatAnAlgorithmReadsAreItsArguments) {
  EXPECT_EQ(Flat("  Real x = time;\n"
                 "  Real y;\n"
                 "  Real z;\n"
                 "algorithm\n"
                 "  y := if x > 1 then abs(x) else noEvent(abs(x) + 1);\n"
                 "  if noEvent(y > 2) then\n"
                 "    y := if x > 3 then sqrt(x) else 0;\n"
                 "    z := if noEvent(sqrt(x) > 4) then 1 else 2;\n"
                 "  else\n"
                 "    z := 0;\n"
                 "  end if;\n",
                 ""),
            "x = time\n"
            "y = algorithm(x, x > 1, abs(x), x > 3).y\n"
            "z = algorithm(x, x > 1, abs(x), x > 3).z\n");
}

TEST(FlattenEventTest, ADiscreteVariableThatIsAssignedFirstHasNoMemory) {
  EXPECT_EQ(Flat("  Integer n;\n"
                 "  Integer m;\n"
                 "algorithm\n"
                 "  if time > 1 then\n"
                 "    n := 2;\n"
                 "  else\n"
                 "    n := 3;\n"
                 "  end if;\n"
                 "  if time > 2 then\n"
                 "    m := n;\n"
                 "  end if;\n",
                 ""),
            "n = algorithm(time > 1, time > 2, pre(m)).n\n"
            "m = algorithm(time > 1, time > 2, pre(m)).m\n");
}

TEST(FlattenEventTest, RelationsOfWhatAnAlgorithmAssignsAreFoundByASecondOne) {
  EXPECT_EQ(Flat("  Real x = time;\n"
                 "  Real y;\n"
                 "  Real z;\n"
                 "algorithm\n"
                 "  y := 2*x;\n"
                 "  z := if y > 1 then 1 else 0;\n"
                 "  y := y + z;\n",
                 ""),
            "x = time\n"
            "y = algorithm(x, algorithm(x) > 1).y\n"
            "z = algorithm(x, algorithm(x) > 1).z\n");
}

TEST(FlattenEventTest, RelationsInALoopOfAnAlgorithmAreArrays) {
  EXPECT_EQ(Flat("  Real x[2] = {time, 2*time};\n"
                 "  Real y;\n"
                 "algorithm\n"
                 "  y := 0;\n"
                 "  for i in 1:2 loop\n"
                 "    y := if x[i] > 1 then y + 1 else y;\n"
                 "  end for;\n",
                 ""),
            "x = {time, 2*time}\n"
            "y = algorithm({algorithm(x)[i1] > 1 for i1 in 1:2})\n");
}

TEST(FlattenEventTest, RelationsInAWhileLoopAreNoEvents) {
  EXPECT_EQ(Flat("  Real x = time;\n"
                 "  Real y;\n"
                 "algorithm\n"
                 "  y := x;\n"
                 "  while y > 1 loop\n"
                 "    y := y - 1;\n"
                 "  end while;\n",
                 ""),
            "x = time\n"
            "y = algorithm(x)\n");
}

TEST(FlattenEventTest, ChecksOfAnAlgorithmAreItsOutputs) {
  EXPECT_EQ(Flat("  Real x = time;\n"
                 "  Real y;\n"
                 "algorithm\n"
                 "  y := 2*x;\n"
                 "  assert(x < 4, \"y is \" + String(y));\n"
                 "  if x > 3 then\n"
                 "    terminate(\"done\");\n"
                 "  end if;\n",
                 ""),
            "x = time\n"
            "y = algorithm(x, x < 4, x > 3).y\n"
            "assert not algorithm(x, x < 4, x > 3).report: \"y is \" "
            "algorithm(x, x < 4, x > 3).report\n"
            "terminate algorithm(x, x < 4, x > 3).report: \"done\"\n");
}

// The value that the equation of `name` gives at x.
double ValueAt(FlatModel& model, const std::string& name, double x) {
  const std::vector<double> numbers = {x};
  internal::Evaluator evaluator([&](Expr symbol) {
    return model.graph->NameOf(symbol) == "x" ? &numbers : nullptr;
  });
  for (const Equation& equation : model.equations) {
    if (model.graph->NameOf(equation.left) == name) {
      return evaluator.Run(equation.right).value().at(0);
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

RC_GTEST_PROP(FlattenEventTest,
              RelationsAsArgumentsLeaveAnAlgorithmsResultAsItIs,
              ()) {
  Diagnostics diagnostics;
  auto model = Flatten(std::make_shared<SourceFile>(
                           "a.mo",
                           "model M\n"
                           "  input Real x;\n"
                           "  Real y;\n"
                           "algorithm\n"
                           "  y := min(x, 2);\n"
                           "  if x > 1 then\n"
                           "    y := if y < 3 then sqrt(x) + floor(x) else 7;\n"
                           "    for i in 1:3 loop\n"
                           "      y := y + (if x > i then i else abs(x));\n"
                           "    end for;\n"
                           "  elseif abs(x) > 3 or y < -1 then\n"
                           "    y := max(y, noEvent(mod(x, 2)));\n"
                           "  end if;\n"
                           "end M;\n"),
                       "",
                       diagnostics);
  RC_ASSERT(model.has_value());
  const double x = 0.01 * *rc::gen::inRange(-600, 600);
  double y = std::min(x, 2.0);
  if (x > 1) {
    y = std::sqrt(x) + std::floor(x);
    for (int i = 1; i <= 3; ++i) {
      y += x > i ? i : std::abs(x);
    }
  } else if (std::abs(x) > 3 || y < -1) {
    y = std::max(y, x - std::floor(x / 2) * 2);
  }
  RC_ASSERT(std::abs(ValueAt(*model, "y", x) - y) < 1e-12);
}

}  // namespace
}  // namespace orrery::modelica
