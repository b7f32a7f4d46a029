// Variables of functions that are read without a value.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;

// The findings in a function with these protected variables and statements.
std::string FindingsIn(const std::string& locals,
                       const std::string& statements) {
  return ErrorsOf(
      "model A\n"
      "  function f\n"
      "    input Real x;\n"
      "    input Real v[3];\n"
      "    output Real y;\n"
      "  protected\n" +
      locals + "  algorithm\n" + statements +
      "  end f;\n"
      "  Real u = f(time, {1, 2, 3});\n"
      "end A;\n");
}

TEST(AssignedTest, AnOutputOfSomePathsOnlyIsAWarning) {
  EXPECT_EQ(FindingsIn("", "    if x > 0 then\n      y := 2;\n    end if;\n"),
            "a.mo:5:17: warning: output 'y' of function A.f gets a value on "
            "some paths through it only: on the others it is undefined\n"
            "    5 |     output Real y;\n"
            "      |                 ^ assign it in every branch, or give it a "
            "default where it is declared\n");
}

TEST(AssignedTest, ALocalThatNothingHasAssignedYetIsAnError) {
  EXPECT_EQ(FindingsIn("    Real a;\n", "    y := a + x;\n    a := 1;\n"),
            "a.mo:9:5: error: 'a' is read in function A.f before it gets a "
            "value\n"
            "    9 |     y := a + x;\n"
            "      |     ^ assign it before, or give it a value where it is "
            "declared\n");
}

TEST(AssignedTest, ALocalThatSomePathsAssignIsAWarning) {
  EXPECT_THAT(FindingsIn("    Real a;\n",
                         "    if x > 0 then\n"
                         "      a := 1;\n"
                         "    end if;\n"
                         "    y := a;\n"),
              HasSubstr("warning: 'a' is read in function A.f where only some "
                        "paths have given it a value: on the others it is "
                        "undefined"));
}

TEST(AssignedTest, ASumThatBeginsWithoutAValueIsAnError) {
  EXPECT_THAT(
      FindingsIn("",
                 "    for i in 1:3 loop\n      y := y + v[i];\n    end for;\n"),
      HasSubstr("error: 'y' is read in function A.f before it gets a value"));
}

TEST(AssignedTest, AValueThatADeclarationReadsTooEarlyIsAnError) {
  EXPECT_THAT(
      FindingsIn("    Real a;\n    Real b = a + 1;\n", "    y := b;\n"),
      HasSubstr("error: 'a' is read in function A.f before it gets a value"));
}

TEST(AssignedTest, BranchesThatAllAssignGiveAValue) {
  EXPECT_EQ(FindingsIn("",
                       "    if x > 1 then\n"
                       "      y := 1;\n"
                       "    elseif x > 0 then\n"
                       "      y := 2;\n"
                       "    else\n"
                       "      y := 3;\n"
                       "    end if;\n"),
            "");
}

TEST(AssignedTest, ABranchThatFailsNeedNotAssign) {
  EXPECT_EQ(FindingsIn("",
                       "    if x > 1 then\n"
                       "      y := 1;\n"
                       "    else\n"
                       "      assert(false, \"x is too small\");\n"
                       "    end if;\n"),
            "");
}

TEST(AssignedTest, APathThatReturnsNeedsItsOwnValue) {
  const std::string rest = "    end if;\n    y := 2;\n";
  EXPECT_EQ(FindingsIn(
                "", "    if x > 1 then\n      y := 1;\n      return;\n" + rest),
            "");
  EXPECT_THAT(FindingsIn("", "    if x > 1 then\n      return;\n" + rest),
              HasSubstr("warning: output 'y' of function A.f gets a value on "
                        "some paths through it only"));
}

TEST(AssignedTest, ALoopGivesWhatItsPassesAssign) {
  EXPECT_EQ(
      FindingsIn("", "    for i in 1:3 loop\n      y := v[i];\n    end for;\n"),
      "");
  EXPECT_EQ(FindingsIn("    Real a;\n",
                       "    while true loop\n"
                       "      a := x;\n"
                       "      if a > 1 then\n"
                       "        y := a;\n"
                       "        break;\n"
                       "      end if;\n"
                       "    end while;\n"),
            "");
}

TEST(AssignedTest, WhatTheFirstPassSurelyAssignsHasAValueBehindTheLoop) {
  const std::string begin = "    for i in 1:3 loop\n      if ";
  const std::string rest =
      " then\n"
      "        best := v[i];\n"
      "      end if;\n"
      "    end for;\n"
      "    y := best;\n";
  const std::string local = "    Real best;\n";
  EXPECT_EQ(FindingsIn(local, begin + "i == 1 or v[i] > best" + rest), "");
  EXPECT_EQ(FindingsIn(local, begin + "not (i > 1 and v[i] <= best)" + rest),
            "");
  EXPECT_THAT(FindingsIn(local, begin + "i == 2 or v[i] > x" + rest),
              HasSubstr("warning: 'best' is read in function A.f where only "
                        "some paths have given it a value"));
}

TEST(AssignedTest, WhatTheFirstPassReadsTooEarlyIsAnError) {
  EXPECT_THAT(FindingsIn("    Real best;\n",
                         "    for i in 1:3 loop\n"
                         "      if v[i] > best or i == 1 then\n"
                         "        best := v[i];\n"
                         "      end if;\n"
                         "    end for;\n"
                         "    y := best;\n"),
              HasSubstr("error: 'best' is read in function A.f before it gets "
                        "a value"));
}

TEST(AssignedTest, ASearchThatMayFindNothingIsAWarning) {
  EXPECT_THAT(FindingsIn("",
                         "    for i in 1:3 loop\n"
                         "      if v[i] > x then\n"
                         "        y := v[i];\n"
                         "        break;\n"
                         "      end if;\n"
                         "    end for;\n"),
              HasSubstr("warning: output 'y' of function A.f gets a value on "
                        "some paths through it only"));
}

TEST(AssignedTest, APassMayReadWhatTheOneBeforeHasAssigned) {
  EXPECT_EQ(FindingsIn("    Real before;\n",
                       "    y := 0;\n"
                       "    for i in 1:3 loop\n"
                       "      if i > 1 then\n"
                       "        y := y + v[i]*before;\n"
                       "      end if;\n"
                       "      before := v[i];\n"
                       "    end for;\n"),
            "");
  EXPECT_EQ(FindingsIn("    Real before;\n",
                       "    y := 0;\n"
                       "    for i in 1:3 loop\n"
                       "      y := y + (if i > 1 then before else 0);\n"
                       "      before := v[i];\n"
                       "    end for;\n"),
            "");
}

TEST(AssignedTest, ALoopWithinAPassMayHaveNoneAtFirst) {
  EXPECT_EQ(FindingsIn("    Real a[3];\n"
                       "    Real s;\n",
                       "    for i in 3:-1:1 loop\n"
                       "      s := v[i];\n"
                       "      for j in i + 1:3 loop\n"
                       "        s := s - a[j];\n"
                       "      end for;\n"
                       "      a[i] := s;\n"
                       "    end for;\n"
                       "    y := a[1];\n"),
            "");
}

TEST(AssignedTest, ASumThatALoopWithinAPassBeginsWithoutAValueIsAnError) {
  EXPECT_THAT(FindingsIn("    Real s;\n",
                         "    for i in 1:3 loop\n"
                         "      for j in i:3 loop\n"
                         "        s := s + v[j];\n"
                         "      end for;\n"
                         "      y := s;\n"
                         "    end for;\n"),
              HasSubstr("error: 's' is read in function A.f before it gets a "
                        "value"));
}

TEST(AssignedTest, ASumWithinAPassMayBeOfNoneAtFirst) {
  EXPECT_EQ(FindingsIn("    Real a[3];\n",
                       "    for i in 1:3 loop\n"
                       "      a[i] := v[i] - sum(a[j] for j in 1:i - 1);\n"
                       "    end for;\n"
                       "    y := a[3];\n"),
            "");
  EXPECT_EQ(FindingsIn("    Real a[3];\n",
                       "    for i in 3:-1:1 loop\n"
                       "      a[i] := v[i] - v[i + 1:3]*a[i + 1:3];\n"
                       "    end for;\n"
                       "    y := a[1];\n"),
            "");
}

TEST(AssignedTest, AnArrayHasAValueOnceAnyOfItIsAssigned) {
  EXPECT_EQ(FindingsIn("    Real a[3];\n",
                       "    a[1] := x;\n"
                       "    for i in 2:3 loop\n"
                       "      a[i] := a[i-1] + v[i];\n"
                       "    end for;\n"
                       "    y := a[3];\n"),
            "");
}

TEST(AssignedTest, AWhileConditionMayReadWhatItsPassesAssign) {
  EXPECT_EQ(FindingsIn("    Real step;\n",
                       "    y := x;\n"
                       "    while y == x or step > 1e-3 loop\n"
                       "      step := 0.5*y;\n"
                       "      y := y - step;\n"
                       "    end while;\n"),
            "");
  EXPECT_THAT(FindingsIn("    Real step;\n",
                         "    y := x;\n"
                         "    while step > 1e-3 loop\n"
                         "      step := 0.5*y;\n"
                         "      y := y - step;\n"
                         "    end while;\n"),
              HasSubstr("error: 'step' is read in function A.f before it gets "
                        "a value"));
}

TEST(AssignedTest, AFieldThatNothingAssignsIsAWarning) {
  const auto findings = [](const std::string& statements) {
    return ErrorsOf(
        "model A\n"
        "  record R\n"
        "    Real a;\n"
        "    Real b[2];\n"
        "  end R;\n"
        "  function f\n"
        "    input Real x;\n"
        "    output R r;\n"
        "  algorithm\n" +
        statements +
        "  end f;\n"
        "  R r = f(time);\n"
        "end A;\n");
  };
  EXPECT_EQ(findings("    r.b := {x, 2};\n"),
            "a.mo:8:14: warning: output 'r.a' of function A.f gets no value: "
            "it is undefined\n"
            "    8 |     output R r;\n"
            "      |              ^ assign it in an algorithm section of the "
            "function\n");
  EXPECT_THAT(findings(""),
              HasSubstr("error: output 'r.a' of function A.f gets no value\n"));
  EXPECT_EQ(findings("    r := R(x, {x, x});\n"), "");
}

TEST(AssignedTest, APartOfAConditionMayRuleOutItsBranch) {
  const auto with = [](const std::string& condition) {
    return FindingsIn("    Real a;\n    Integer n = size(v, 1);\n",
                      "    y := x;\n"
                      "    if " +
                          condition +
                          " then\n"
                          "      y := a;\n"
                          "    end if;\n");
  };
  EXPECT_EQ(with("n > 3 and x > 0"), "");
  EXPECT_EQ(with("x > 0 and n > 3"), "");
  EXPECT_EQ(with("not (x > 0 or n == 3)"), "");
  EXPECT_THAT(with("n > 2 and x > 0"), HasSubstr("error: 'a' is read"));
}

TEST(AssignedTest, ARecordMayBeGivenToAFunctionBeforeItIsComplete) {
  const auto findings = [](const std::string& statements) {
    return ErrorsOf(
        "model A\n"
        "  record R\n"
        "    Real a;\n"
        "    Real b;\n"
        "    Real c[2];\n"
        "  end R;\n"
        "  function aOf\n"
        "    input R r;\n"
        "    output Real y = r.a;\n"
        "  algorithm\n"
        "  end aOf;\n"
        "  function f\n"
        "    input Real x;\n"
        "    output Real y;\n"
        "  protected\n"
        "    R r;\n"
        "  algorithm\n" +
        statements +
        "  end f;\n"
        "  Real y = f(time);\n"
        "end A;\n");
  };
  EXPECT_EQ(findings("    r.a := x;\n    y := aOf(r);\n"), "");
  EXPECT_THAT(findings("    y := aOf(r);\n"),
              HasSubstr("error: 'r.a' is read in function A.f before it gets a "
                        "value"));
  EXPECT_THAT(findings("    r.a := x;\n    y := aOf(r) + r.b;\n"),
              HasSubstr("error: 'r.b' is read in function A.f before it gets a "
                        "value"));
}

}  // namespace
}  // namespace orrery::modelica
