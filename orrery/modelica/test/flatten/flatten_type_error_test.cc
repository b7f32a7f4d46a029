#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

TEST(FlattenTypeErrorTest, RefusesABooleanForAReal) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = true;\n"
                     "end A;\n"),
            "a.mo:2:12: error: 'x' is Real, its value Boolean\n"
            "    2 |   Real x = true;\n"
            "      |            ^~~~\n");
}

TEST(FlattenTypeErrorTest, RefusesARealForAnInteger) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Integer n = 1.5;\n"
                     "end A;\n"),
            "a.mo:2:15: error: 'n' is Integer, its value Real\n"
            "    2 |   Integer n = 1.5;\n"
            "      |               ^~~\n");
}

TEST(FlattenTypeErrorTest, RefusesArithmeticOfBooleans) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Boolean b = true;\n"
                     "  Real x = b + 1;\n"
                     "  Real y = -b;\n"
                     "  Boolean c = not x;\n"
                     "  Boolean d = b and x;\n"
                     "end A;\n"),
            "a.mo:3:12: error: '+' takes numbers, not Boolean\n"
            "    3 |   Real x = b + 1;\n"
            "      |            ^~~~~\n"
            "a.mo:4:12: error: '-' takes numbers, not Boolean\n"
            "    4 |   Real y = -b;\n"
            "      |            ^~\n"
            "a.mo:5:15: error: 'not' takes a Boolean, not Real\n"
            "    5 |   Boolean c = not x;\n"
            "      |               ^~~~~\n"
            "a.mo:6:15: error: 'and' takes Booleans, not Real\n"
            "    6 |   Boolean d = b and x;\n"
            "      |               ^~~~~~~\n");
}

TEST(FlattenTypeErrorTest, RefusesAStringThatAnAlgorithmAssignsOnce) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  String s;\n"
                     "algorithm\n"
                     "  s := \"on\";\n"
                     "end A;\n"),
            "a.mo:2:10: error: String variables are not supported yet: only "
            "constants and parameters may be Strings\n"
            "    2 |   String s;\n"
            "      |          ^ give it a text where it is declared\n");
}

TEST(FlattenTypeErrorTest, RefusesAStringThatVaries) {
  EXPECT_THAT(
      ErrorsOf("model A\n"
               "  String s = if time > 1 then \"a\" else \"b\";\n"
               "end A;\n"),
      testing::StartsWith("a.mo:2:14: error: the condition that chooses "
                          "between String and String cannot be "
                          "evaluated: it depends on 'time'"));
}

TEST(FlattenTypeErrorTest, RefusesAnEquationOfDifferentTypes) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  Real x;\n"
               "equation\n"
               "  x = x > 1;\n"
               "end A;\n"),
      "a.mo:4:3: error: the sides have different types: Real and Boolean\n"
      "    4 |   x = x > 1;\n"
      "      |   ^~~~~~~~~\n");
}

TEST(FlattenTypeErrorTest, RefusesToCompareDifferentTypes) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  type Color = enumeration(red, green);\n"
                     "  Real x = if Color.red == 1 then 1 else 2;\n"
                     "end A;\n"),
            "a.mo:3:15: error: '==' cannot compare A.Color with Integer\n"
            "    3 |   Real x = if Color.red == 1 then 1 else 2;\n"
            "      |               ^~~~~~~~~~~~~~\n");
}

TEST(FlattenTypeErrorTest, RefusesBranchesOfDifferentTypes) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = if time > 1 then 1 else true;\n"
                     "end A;\n"),
            "a.mo:2:12: error: the branches have different types: Integer and "
            "Boolean\n"
            "    2 |   Real x = if time > 1 then 1 else true;\n"
            "      |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

TEST(FlattenTypeErrorTest, RefusesANumberAsACondition) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = if time then 1 else 2;\n"
                     "end A;\n"),
            "a.mo:2:15: error: expected Boolean, found Real\n"
            "    2 |   Real x = if time then 1 else 2;\n"
            "      |               ^~~~\n");
}

TEST(FlattenTypeErrorTest, RefusesAnEquationOfDifferentSizes) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  Real x[3], y[2];\n"
               "equation\n"
               "  x = y;\n"
               "  y = {1, 2};\n"
               "end A;\n"),
      "a.mo:4:3: error: the sides have different sizes: Real[3] and Real[2]\n"
      "    4 |   x = y;\n"
      "      |   ^~~~~\n");
}

TEST(FlattenTypeErrorTest, RefusesASumOfDifferentSizes) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  Real x[2] = {1, 2} + {1, 2, 3};\n"
               "  Real y[2] = {1, 2} + 1;\n"
               "end A;\n"),
      "a.mo:2:15: error: '+' takes operands of one size, not Integer[2] and "
      "Integer[3]\n"
      "    2 |   Real x[2] = {1, 2} + {1, 2, 3};\n"
      "      |               ^~~~~~~~~~~~~~~~~~\n"
      "a.mo:3:15: error: '+' takes operands of one size, not Integer[2] and "
      "Integer\n"
      "    3 |   Real y[2] = {1, 2} + 1;\n"
      "      |               ^~~~~~~~~~ write '.+' to take each element\n");
}

TEST(FlattenTypeErrorTest, RefusesAProductOfMatricesThatDoNotFit) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  Real x[2, 2] = [1, 2; 3, 4] * [1, 2; 3, 4; 5, 6];\n"
               "  Real y[3] = {1, 2, 3} / {1, 2, 3};\n"
               "end A;\n"),
      "a.mo:2:18: error: '*' cannot multiply Integer[2, 2] with Integer[3, 2]\n"
      "    2 |   Real x[2, 2] = [1, 2; 3, 4] * [1, 2; 3, 4; 5, 6];\n"
      "      |                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "a.mo:3:15: error: '/' divides by a scalar, not by Integer[3]\n"
      "    3 |   Real y[3] = {1, 2, 3} / {1, 2, 3};\n"
      "      |               ^~~~~~~~~~~~~~~~~~~~~ write './' to divide by "
      "each element\n");
}

TEST(FlattenTypeErrorTest, RefusesAnArrayOfDifferentSizes) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[2, 2] = {{1, 2}, {3}};\n"
                     "  Real y[2, 2] = [1, 2; 3];\n"
                     "end A;\n"),
            "a.mo:2:27: error: an array has elements of one size, not "
            "Integer[2] and Integer[1]\n"
            "    2 |   Real x[2, 2] = {{1, 2}, {3}};\n"
            "      |                           ^~~\n"
            "a.mo:3:25: error: this row has 1 columns, the rows before it 2\n"
            "    3 |   Real y[2, 2] = [1, 2; 3];\n"
            "      |                         ^\n");
}

TEST(FlattenTypeErrorTest, RefusesAValueOfAnotherSize) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[2] = {1, 2, 3};\n"
                     "end A;\n"),
            "a.mo:2:15: error: 'x' is Real[2], its value Integer[3]\n"
            "    2 |   Real x[2] = {1, 2, 3};\n"
            "      |               ^~~~~~~~~\n");
}

TEST(FlattenTypeErrorTest, RefusesASubscriptOutOfBounds) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[3];\n"
                     "equation\n"
                     "  for i in 1:4 loop\n"
                     "    x[i] = 1;\n"
                     "  end for;\n"
                     "end A;\n"),
            "a.mo:5:7: error: subscript 4 is out of bounds: the dimension has "
            "3 elements\n"
            "    5 |     x[i] = 1;\n"
            "      |       ^\n");
}

TEST(FlattenTypeErrorTest, RefusesTooManySubscripts) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[3] = {1, 2, 3};\n"
                     "  Real y = x[1, 2];\n"
                     "  Real z = y[1];\n"
                     "end A;\n"),
            "a.mo:3:12: error: too many subscripts: 2 for 1 dimension\n"
            "    3 |   Real y = x[1, 2];\n"
            "      |            ^~~~~~~\n"
            "a.mo:4:12: error: a scalar cannot have subscripts\n"
            "    4 |   Real z = y[1];\n"
            "      |            ^~~~\n");
}

TEST(FlattenTypeErrorTest, RefusesARealSubscript) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[3] = {1, 2, 3};\n"
                     "  Real y = x[1.5];\n"
                     "end A;\n"),
            "a.mo:3:14: error: a subscript is Integer, not Real\n"
            "    3 |   Real y = x[1.5];\n"
            "      |              ^~~\n");
}

TEST(FlattenTypeErrorTest, AsksForEachInAnArray) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[3](start=1) = {1, 2, 3};\n"
                     "  model B\n"
                     "    parameter Real k = 1;\n"
                     "  end B;\n"
                     "  B b[2](k=3);\n"
                     "end A;\n"),
            "a.mo:2:19: warning: 'start' of 'x' is one value for an array[3]; "
            "each element gets it (specification 3.6, section 7.2.5)\n"
            "    2 |   Real x[3](start=1) = {1, 2, 3};\n"
            "      |                   ^ write 'each' before it to give all "
            "elements the same\n"
            "a.mo:6:10: warning: this modifier of an array of components is "
            "one value; each of them gets it (specification 3.6, section "
            "7.2.5)\n"
            "    6 |   B b[2](k=3);\n"
            "      |          ^ write 'each' before it to give all elements "
            "the same\n");
}

TEST(FlattenTypeErrorTest, AModifierHasAValueForEachComponent) {
  const char* const declarations =
      "  model B\n"
      "    parameter Real k = 1;\n"
      "    parameter Real c[2] = {1, 2};\n"
      "  end B;\n";
  const auto wrong = [&](const std::string& component) {
    return ErrorsOf("model A\n" + std::string(declarations) + component +
                    "end A;\n");
  };
  EXPECT_EQ(wrong("  B b[2](k={1, 2, 3});\n"),
            "a.mo:6:12: error: this modifier is Integer[3], but the array of "
            "components is [2]: their sizes must agree (specification 3.6, "
            "section 7.2.5)\n"
            "    6 |   B b[2](k={1, 2, 3});\n"
            "      |            ^~~~~~~~~ give one value for each "
            "component\n");
  EXPECT_THAT(
      wrong("  B b[3](k={1, 2});\n"),
      testing::HasSubstr("Integer[2], but the array of components is [3]"));
  EXPECT_THAT(
      wrong("  B b[2, 2](k=[1, 2, 9; 3, 4, 9]);\n"),
      testing::HasSubstr("Integer[2, 3], but the array of components is [2, "
                         "2]"));
  EXPECT_THAT(
      wrong("  B b[2](c={{1, 2}, {3, 4}, {5, 6}});\n"),
      testing::HasSubstr("Integer[3, 2], but the array of components is [2]"));
  EXPECT_EQ(wrong("  B b[2](c={{1, 2}, {3, 4}});\n"), "");
}

TEST(FlattenTypeErrorTest, RefusesASizeWithoutAValue) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  parameter Integer n;\n"
                     "  Real x[n];\n"
                     "end A;\n"),
            "a.mo:3:10: error: the size of an array cannot be evaluated: 'n' "
            "has no value\n"
            "    3 |   Real x[n];\n"
            "      |          ^ it must be known when the model is translated: "
            "use constants and parameters with values\n");
}

TEST(FlattenTypeErrorTest, RefusesASizeThatVaries) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Integer n = integer(time);\n"
                     "  Real x[n] = ones(n);\n"
                     "end A;\n"),
            "a.mo:3:10: error: the size of an array cannot be evaluated: it "
            "depends on 'n'\n"
            "    3 |   Real x[n] = ones(n);\n"
            "      |          ^ it must be known when the model is translated: "
            "use constants and parameters with values\n");
}

TEST(FlattenTypeErrorTest, RefusesANegativeSize) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  parameter Integer n = 2;\n"
                     "  Real x[n - 3];\n"
                     "end A;\n"),
            "a.mo:3:10: error: the size of 'x' is negative: -1\n"
            "    3 |   Real x[n - 3];\n"
            "      |          ^~~~~\n");
}

TEST(FlattenTypeErrorTest, RefusesASizeThatDependsOnItself) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[size(x, 1)];\n"
                     "end A;\n"),
            "a.mo:2:8: error: the declaration of 'x' depends on itself\n"
            "    2 |   Real x[size(x, 1)];\n"
            "      |        ^ its type, size or condition must not need its "
            "own value\n");
}

TEST(FlattenTypeErrorTest, RefusesHugeArraysAtOnce) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[100000, 100000];\n"
                     "  model B\n"
                     "    Real x = 1;\n"
                     "  end B;\n"
                     "  B b[1000000000];\n"
                     "  Real y = sum(i for i in 1:100000000000);\n"
                     "end A;\n"),
            "a.mo:2:8: error: array 'x[100000, 100000]' is too large: at most "
            "100000000 elements are possible\n"
            "    2 |   Real x[100000, 100000];\n"
            "      |        ^\n"
            "a.mo:6:5: error: array 'b[1000000000]' is too large: at most "
            "1000000 elements are possible\n"
            "    6 |   B b[1000000000];\n"
            "      |     ^\n"
            "a.mo:7:27: error: this range has more than 100000000 values\n"
            "    7 |   Real y = sum(i for i in 1:100000000000);\n"
            "      |                           ^~~~~~~~~~~~~~\n");
}

TEST(FlattenTypeErrorTest, FindsAConstantThatDependsOnItself) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  constant Real a = b;\n"
                     "  constant Real b = a;\n"
                     "  Real x = a;\n"
                     "end A;\n"),
            "a.mo:2:17: error: the value of 'a' depends on itself\n"
            "    2 |   constant Real a = b;\n"
            "      |                 ^\n");
}

TEST(FlattenTypeErrorTest, FindsAConstantWithoutAValue) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  constant Real k;\n"
                     "  Real x = k;\n"
                     "end A;\n"),
            "a.mo:2:17: error: constant 'k' has no value\n"
            "    2 |   constant Real k;\n"
            "      |                 ^ give it one where it is declared\n");
}

}  // namespace
}  // namespace orrery::modelica
