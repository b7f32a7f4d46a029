// Modifiers that apply to redeclared elements (specification 3.6, section 7.3),
// and elements that are inherited more than once (sections 5.6.1 and 7.1).

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// S is the constraining class; I and L are two blocks that extend it.
std::string InPackage(const std::string& classes) {
  return "package P\n"
         "  partial block S parameter Real p = 0; Real y; end S;\n"
         "  block I extends S; parameter Real k = 1;\n"
         "    equation y = k*time + p; end I;\n"
         "  block L extends S; parameter Real k = 1; parameter Real m = 1;\n"
         "    equation y = k*m*time + p; end L;\n" +
         classes + "end P;\n";
}

std::string DumpOfB2(const std::string& classes) {
  return DumpOf(InPackage(classes), "P.B2");
}

TEST(RedeclarationTest, ModifiersOfAReplacedRedeclarationGoWithIt) {
  EXPECT_THAT(DumpOfB2("model B0 replaceable S s; end B0;\n"
                       "model B1 extends B0(redeclare replaceable I s(k = 3));"
                       " end B1;\n"
                       "model B2 extends B1(redeclare L s(m = 5)); end B2;\n"),
              AllOf(HasSubstr("s.k = 1"), HasSubstr("s.m = 5")));
}

TEST(RedeclarationTest, ModifiersOfAReplacedRedeclarationInAComponentGo) {
  EXPECT_THAT(
      DumpOfB2("model B0 replaceable S s; end B0;\n"
               "model B1 B0 b(redeclare replaceable I s(k = 3, p = 4));"
               " end B1;\n"
               "model B2 extends B1(b(redeclare L s(m = 5))); end B2;\n"),
      AllOf(HasSubstr("b.s.k = 1"), HasSubstr("b.s.p = 0")));
}

TEST(RedeclarationTest, OfThreeRedeclarationsTheLastOneHolds) {
  EXPECT_THAT(
      DumpOfB2("model B0 replaceable S s; end B0;\n"
               "model B1 extends B0(redeclare replaceable I s(k = 3));"
               " end B1;\n"
               "model C extends B1(redeclare replaceable I s(p = 7));"
               " end C;\n"
               "model B2 extends C(redeclare L s(m = 5)); end B2;\n"),
      AllOf(HasSubstr("s.k = 1"), HasSubstr("s.p = 0"), HasSubstr("s.m = 5")));
}

TEST(RedeclarationTest, ModifiersOfConstrainingTypesHoldOn) {
  EXPECT_THAT(
      DumpOfB2("model B0 replaceable S s; end B0;\n"
               "model B1 extends B0(redeclare replaceable I s(k = 3)\n"
               "  constrainedby S(p = 2)); end B1;\n"
               "model B2 extends B1(redeclare L s(m = 5)); end B2;\n"),
      AllOf(HasSubstr("s.k = 1"), HasSubstr("s.p = 2"), HasSubstr("s.m = 5")));
}

TEST(RedeclarationTest, ModifiersOfTheFirstDeclarationHoldOn) {
  EXPECT_THAT(
      DumpOfB2("model B0 replaceable I s(k = 2, p = 6); end B0;\n"
               "model B1 extends B0(redeclare replaceable L s(m = 3));"
               " end B1;\n"
               "model B2 extends B1(redeclare L s); end B2;\n"),
      AllOf(HasSubstr("s.k = 2"), HasSubstr("s.p = 6"), HasSubstr("s.m = 1")));
}

// In an element modification, they also belong to the constraining type
// (specification 3.6, section 7.3.2).
TEST(RedeclarationTest, ModifiersThatRedeclareNothingHoldOn) {
  EXPECT_THAT(DumpOfB2("model B0 replaceable S s; end B0;\n"
                       "model C extends B0(s(p = 8)); end C;\n"
                       "model B1 extends C(redeclare replaceable I s(k = 3));"
                       " end B1;\n"
                       "model B2 extends B1(redeclare L s); end B2;\n"),
              AllOf(HasSubstr("s.k = 1"), HasSubstr("s.p = 8")));
}

TEST(RedeclarationTest, AValueOfAReplacedRedeclarationGoesWithIt) {
  EXPECT_THAT(
      DumpOfB2("model B0 replaceable parameter Real a; end B0;\n"
               "model B1 extends B0(redeclare replaceable parameter Real a(\n"
               "  min = 1) = 3); end B1;\n"
               "model B2 extends B1(redeclare parameter Real a = 5); end B2;"
               "\n"),
      AllOf(HasSubstr("parameter Real a = 5"), Not(HasSubstr("min"))));
}

TEST(RedeclarationTest, WhatARedeclarationLeavesUnsaidIsAsInTheReplacedOne) {
  EXPECT_THAT(
      DumpOfB2("model B0 replaceable S s[3]; end B0;\n"
               "model B1 extends B0(redeclare replaceable I s[2]); end B1;\n"
               "model B2 extends B1(redeclare L s); end B2;\n"),
      AllOf(HasSubstr("s[2].m"), Not(HasSubstr("s[3].m"))));
}

TEST(RedeclarationTest, ModifiersOfAReplacedClassGoWithIt) {
  EXPECT_THAT(
      DumpOfB2("model B0 replaceable block X = S; X x; end B0;\n"
               "model B1 extends B0(redeclare replaceable block X = I(k = 3));"
               " end B1;\n"
               "model B2 extends B1(redeclare block X = L(m = 5)); end B2;\n"),
      AllOf(HasSubstr("x.k = 1"), HasSubstr("x.m = 5")));
}

TEST(RedeclarationTest, ModifiersOfAClassThatAnElementReplacedGoWithIt) {
  EXPECT_THAT(
      DumpOfB2("model B0 replaceable block X = S(p = 9); X x; end B0;\n"
               "model B1 extends B0;\n"
               "  redeclare replaceable block X = I(k = 3); end B1;\n"
               "model B2 extends B1(redeclare block X = L(m = 5)); end B2;\n"),
      AllOf(HasSubstr("x.k = 1"), HasSubstr("x.p = 9"), HasSubstr("x.m = 5")));
}

TEST(RedeclarationTest, ConstrainingTypesOfRedeclaredClassesHoldOn) {
  EXPECT_THAT(
      DumpOfB2("model B0 replaceable block X = S; X x; end B0;\n"
               "model B1 extends B0(redeclare replaceable block X = I(k = 3)\n"
               "  constrainedby S(p = 2)); end B1;\n"
               "model B2 extends B1(redeclare block X = L); end B2;\n"),
      AllOf(HasSubstr("x.k = 1"), HasSubstr("x.p = 2")));
}

TEST(RedeclarationTest, AClassFromTwoBasesMayBeRedeclaredToTheSame) {
  const std::string text =
      "package P\n"
      "  package A constant Real k = 1; end A;\n"
      "  package B extends A(k = 4); end B;\n"
      "  model X replaceable package M = A; Real x = M.k; end X;\n"
      "  model Y replaceable package M = B; Real y = 10*M.k; end Y;\n"
      "  model Both extends X(redeclare replaceable package M = B);\n"
      "    extends Y; end Both;\n"
      "  model Turned extends Y;\n"
      "    extends X(redeclare replaceable package M = B); end Turned;\n"
      "  model Wrong extends X; extends Y; end Wrong;\n"
      "  model Apart extends X(redeclare package M = B); extends X2;\n"
      "  end Apart;\n"
      "  model X2 replaceable package M = A; Real z = M.k; end X2;\n"
      "end P;\n";
  EXPECT_THAT(DumpOf(text, "P.Both"),
              AllOf(HasSubstr("x = 4"), HasSubstr("y = 40")));
  EXPECT_THAT(DumpOf(text, "P.Turned"),
              AllOf(HasSubstr("x = 4"), HasSubstr("y = 40")));
  EXPECT_THAT(ErrorsOf(text, "P.Wrong"),
              HasSubstr("'M' is declared twice in P.Wrong"));
  EXPECT_THAT(ErrorsOf(text, "P.Apart"),
              HasSubstr("'M' is declared twice in P.Apart"));
}

TEST(RedeclarationTest, AComponentFromTwoBasesMayBeRedeclaredToTheSame) {
  EXPECT_THAT(
      DumpOfB2("model X replaceable S s; Real x = s.y; end X;\n"
               "model Y replaceable L s; Real y = 2*s.y; end Y;\n"
               "model B2 extends X(redeclare L s); extends Y;\n"
               "end B2;\n"),
      AllOf(
          HasSubstr("x = s.y"), HasSubstr("y = 2*s.y"), HasSubstr("s.m = 1")));
}

TEST(RedeclarationTest, AComponentFromTwoBasesMayNameItsClassInTwoWays) {
  EXPECT_THAT(DumpOf("package P\n"
                     "  type T = Real(unit = \"m\");\n"
                     "  model X T a = 2; Real x = a; end X;\n"
                     "  model Y P.T a = 2; Real y = a; end Y;\n"
                     "  model Z extends X; extends Y; end Z;\n"
                     "end P;\n",
                     "P.Z"),
              AllOf(HasSubstr("a = 2"), HasSubstr("y = a")));
}

}  // namespace
}  // namespace orrery::modelica
