#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using testing::StartsWith;

TEST(FlattenEquationErrorTest, RefusesAComponentThatDoesNotExist) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  parameter Boolean has = false;\n"
                     "  Real x = 1 if has;\n"
                     "  Real y = x;\n"
                     "end A;\n"),
            "a.mo:4:12: error: 'x' does not exist: the condition of its "
            "declaration is false\n"
            "    4 |   Real y = x;\n"
            "      |            ^\n");
}

TEST(FlattenEquationErrorTest, RefusesToConnectDifferentConnectors) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  connector Pin\n"
               "    Real v;\n"
               "    flow Real i;\n"
               "  end Pin;\n"
               "  connector Flange\n"
               "    Real s;\n"
               "    flow Real f;\n"
               "  end Flange;\n"
               "  Pin a;\n"
               "  Flange b;\n"
               "equation\n"
               "  connect(a, b);\n"
               "end A;\n"),
      "a.mo:13:3: error: cannot connect a and b: A.Pin has no element 's'\n"
      "   13 |   connect(a, b);\n"
      "      |   ^~~~~~~~~~~~~\n");
}

TEST(FlattenEquationErrorTest, RefusesToConnectWhatIsNoConnector) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  connector Pin\n"
                     "    Real v;\n"
                     "    flow Real i;\n"
                     "  end Pin;\n"
                     "  connector Flange\n"
                     "    Real s;\n"
                     "    flow Real f;\n"
                     "  end Flange;\n"
                     "  Pin a;\n"
                     "  Real x = 1;\n"
                     "equation\n"
                     "  connect(a, x);\n"
                     "  connect(a.v, x);\n"
                     "end A;\n"),
            "a.mo:13:14: error: 'x' cannot be connected: Real is a type, not a "
            "connector\n"
            "   13 |   connect(a, x);\n"
            "      |              ^\n"
            "a.mo:14:11: error: 'a.v' cannot be connected: Real is a type, not "
            "a connector\n"
            "   14 |   connect(a.v, x);\n"
            "      |           ^~~\n");
}

TEST(FlattenEquationErrorTest, RefusesToConnectDifferentSizes) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  connector Pin\n"
               "    Real v;\n"
               "    flow Real i;\n"
               "  end Pin;\n"
               "  connector Flange\n"
               "    Real s;\n"
               "    flow Real f;\n"
               "  end Flange;\n"
               "  Pin a[2], b[3];\n"
               "equation\n"
               "  connect(a, b);\n"
               "end A;\n"),
      "a.mo:12:3: error: cannot connect a and b: their sizes are [2] and [3]\n"
      "   12 |   connect(a, b);\n"
      "      |   ^~~~~~~~~~~~~\n");
}

// Errors in a model of blocks a and b with inputs u and outputs y.
std::string ErrorsOfTwoBlocks(const std::string& connection) {
  return ErrorsOf(
      "model A\n"
      "  connector In = input Real;\n"
      "  connector Out = output Real;\n"
      "  model B\n"
      "    In u;\n"
      "    Out y;\n"
      "  equation\n"
      "    y = u;\n"
      "  end B;\n"
      "  B a, b;\n"
      "equation\n"
      "  " +
      connection +
      ";\n"
      "end A;\n");
}

TEST(FlattenEquationErrorTest, RefusesToConnectTwoOutputs) {
  EXPECT_EQ(ErrorsOfTwoBlocks("connect(a.y, b.y)"),
            "a.mo:12:3: error: cannot connect a.y and b.y: both are outputs\n"
            "   12 |   connect(a.y, b.y);\n"
            "      |   ^~~~~~~~~~~~~~~~~\n");
}

TEST(FlattenEquationErrorTest, FindsInputsThatNothingDrives) {
  EXPECT_EQ(ErrorsOfTwoBlocks("connect(a.u, b.u)"),
            "a.mo:12:3: error: only inputs are connected here: nothing gives "
            "'a.u' a value\n"
            "   12 |   connect(a.u, b.u);\n"
            "      |   ^~~~~~~~~~~~~~~~~ connect an output to one of them\n");
}

TEST(FlattenEquationErrorTest, ComparesTheBranchesOfAnIfEquation) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x, y;\n"
                     "equation\n"
                     "  if time > 1 then\n"
                     "    x = 1;\n"
                     "    y = 2;\n"
                     "  else\n"
                     "    x = 2;\n"
                     "  end if;\n"
                     "end A;\n"),
            "a.mo:4:3: error: the branches of this if-equation have 2 and 1 "
            "equations\n"
            "    4 |   if time > 1 then\n"
            "      |   ^~~~~~~~~~~~~~~~ branches must have as many equations "
            "as each other\n");
}

TEST(FlattenEquationErrorTest, CountsTheElementsOfEquationsOfArrays) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[3];\n"
                     "equation\n"
                     "  if time > 1 then\n"
                     "    x = {1, 2, 3};\n"
                     "  else\n"
                     "    x[1] = 2;\n"
                     "  end if;\n"
                     "end A;\n"),
            "a.mo:4:3: error: the branches of this if-equation have 3 and 1 "
            "equations\n"
            "    4 |   if time > 1 then\n"
            "      |   ^~~~~~~~~~~~~~~~ branches must have as many equations "
            "as each other\n");
}

TEST(FlattenEquationErrorTest, AsksForAnElseInAnIfEquation) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x;\n"
                     "equation\n"
                     "  if time > 1 then\n"
                     "    x = 1;\n"
                     "  end if;\n"
                     "end A;\n"),
            "a.mo:4:3: error: an if-equation whose condition changes during a "
            "run needs an 'else' with as many equations\n"
            "    4 |   if time > 1 then\n"
            "      |   ^~~~~~~~~~~~~~~~\n");
}

TEST(FlattenEquationErrorTest,
     NamesAnOuterFunctionOfAFunctionThatHasNoInnerOne) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    output Real y;\n"
                     "    outer function g\n"
                     "      output Real z;\n"
                     "    end g;\n"
                     "  algorithm\n"
                     "    y := g();\n"
                     "  end f;\n"
                     "  Real u = f();\n"
                     "end A;\n"),
            "a.mo:10:12: error: no inner class 'g' is declared around this "
            "call of A.f, which has it as an outer one\n"
            "   10 |   Real u = f();\n"
            "      |            ^~~ declare 'inner function g' in an enclosing "
            "model\n");
}

TEST(FlattenEquationErrorTest, RefusesRecursionInADeclaration) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  function f\n"
               "    input Real u;\n"
               "    output Real y = f(u/2);\n"
               "  algorithm\n"
               "  end f;\n"
               "  Real x = f(time);\n"
               "end A;\n"),
      "a.mo:4:21: error: cannot call A.f in a declaration of itself: that "
      "never ends\n"
      "    4 |     output Real y = f(u/2);\n"
      "      |                     ^~~~~~ call it in a statement, where a "
      "condition ends the recursion\n");
}

TEST(FlattenEquationErrorTest, RefusesRecursionInTheRunThatGivesAString) {
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  function f\n"
                       "    input Real u;\n"
                       "    output String y;\n"
                       "  algorithm\n"
                       "    y := if u > 1 then f(u/2) else \"a\";\n"
                       "  end f;\n"
                       "equation\n"
                       "  assert(time < 2, f(time));\n"
                       "end A;\n"),
              StartsWith("a.mo:6:24: error: cannot call A.f in itself here: "
                         "nothing that is known when the model is translated "
                         "ends the recursion, and it gives a String\n"));
}

TEST(FlattenEquationErrorTest, RefusesRecursionOverEverNewSizes) {
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  function f\n"
                       "    input Real u[:];\n"
                       "    output Real y;\n"
                       "  algorithm\n"
                       "    y := if u[1] > 1 then f(cat(1, u, {1})) else 0;\n"
                       "  end f;\n"
                       "  Real x = f({time});\n"
                       "end A;\n"),
              StartsWith("a.mo:6:27: error: the calls of A.f in itself go "
                         "deeper than 100 levels, each with other sizes of "
                         "arrays\n"));
}

TEST(FlattenEquationErrorTest, RefusesCardinalityOfWhatIsNoConnector) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x;\n"
                     "  Integer n = cardinality(x);\n"
                     "end A;\n"),
            "a.mo:3:27: error: 'cardinality' takes a connector: 'x' is of "
            "Real, which is a type\n"
            "    3 |   Integer n = cardinality(x);\n"
            "      |                           ^\n");
}

TEST(FlattenEquationErrorTest, RefusesConnectionsThatDependOnTheirNumber) {
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  connector C\n"
                       "    Real v;\n"
                       "    flow Real i;\n"
                       "  end C;\n"
                       "  C a, b;\n"
                       "equation\n"
                       "  if cardinality(a) == 0 then\n"
                       "    connect(a, b);\n"
                       "  end if;\n"
                       "end A;\n"),
              StartsWith("a.mo:8:6: error: the connections that 'cardinality' "
                         "is to count depend on their own number\n"));
}

TEST(FlattenEquationErrorTest, RefusesARangeOfTwoEnumerations) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  type E = enumeration(a, b);\n"
                     "  Integer n = size(E.a:2, 1);\n"
                     "end A;\n"),
            "a.mo:3:20: error: a range has bounds of one type, not A.E and "
            "Integer\n"
            "    3 |   Integer n = size(E.a:2, 1);\n"
            "      |                    ^~~~~\n");
}

TEST(FlattenEquationErrorTest, RefusesTheGreatestOfBooleansAndNumbers) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Boolean b = max(true, 1);\n"
                     "end A;\n"),
            "a.mo:2:15: error: 'max' takes values of one type, not Boolean and "
            "Integer\n"
            "    2 |   Boolean b = max(true, 1);\n"
            "      |               ^~~~~~~~~~~~\n");
}

TEST(FlattenEquationErrorTest, RefusesAMatrixOfLiteralsAndNumbers) {
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  type E = enumeration(a, b);\n"
                       "  constant E e[2, 1] = [E.a; 2];\n"
                       "end A;\n"),
              StartsWith("a.mo:3:30: error: an array has elements of one type, "
                         "not A.E[1] and Integer[1]\n"));
}

TEST(FlattenEquationErrorTest, RefusesPartsOfOtherSizesInBrackets) {
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  Real x[2, 1, 2] = [{{{1, 2}}}; {{{3}}}];\n"
                       "end A;\n"),
              StartsWith("a.mo:2:34: error: [...] cannot join Integer[1, 1, 2] "
                         "and Integer[1, 1, 1]\n"));
}

TEST(FlattenEquationErrorTest, RefusesTwoDeclarationsThatSayDifferentThings) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model B\n"
                     "    Real x = 1 \"one\";\n"
                     "  end B;\n"
                     "  extends B;\n"
                     "  Real x = 2;\n"
                     "end A;\n"),
            "a.mo:6:8: error: 'x' is declared twice in A\n"
            "    6 |   Real x = 2;\n"
            "      |        ^ it is also inherited\n");
}

TEST(FlattenEquationErrorTest, RefusesToAssignToAnInput) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    input Real u;\n"
                     "    output Real y;\n"
                     "  algorithm\n"
                     "    u := 1;\n"
                     "    y := u;\n"
                     "  end f;\n"
                     "  Real x = f(1);\n"
                     "end A;\n"),
            "a.mo:6:5: error: input 'u' of a function cannot be assigned to\n"
            "    6 |     u := 1;\n"
            "      |     ^\n");
}

TEST(FlattenEquationErrorTest, RefusesToAssignToAParameter) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  parameter Real k = 1;\n"
                     "  Real x;\n"
                     "algorithm\n"
                     "  x := 1;\n"
                     "  k := 2;\n"
                     "end A;\n"),
            "a.mo:6:3: error: parameter 'k' cannot be assigned to\n"
            "    6 |   k := 2;\n"
            "      |   ^\n");
}

TEST(FlattenEquationErrorTest, RefusesAnArgumentOfAnotherSize) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    input Real u[2];\n"
                     "    output Real y = u[1];\n"
                     "  algorithm\n"
                     "  end f;\n"
                     "  Real x = f({1, 2, 3});\n"
                     "  Real y = f(1);\n"
                     "end A;\n"),
            "a.mo:7:12: error: dimension 1 of input 'u' of A.f has 2 elements, "
            "the argument 3\n"
            "    7 |   Real x = f({1, 2, 3});\n"
            "      |            ^~~~~~~~~~~~\n"
            "a.mo:8:14: error: input 'u' of A.f has 1 dimension, not 0\n"
            "    8 |   Real y = f(1);\n"
            "      |              ^\n");
}

TEST(FlattenEquationErrorTest, RefusesTooManyResults) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    input Real u;\n"
                     "    output Real y = u;\n"
                     "  algorithm\n"
                     "  end f;\n"
                     "  Real x, y;\n"
                     "equation\n"
                     "  (x, y) = f(1);\n"
                     "end A;\n"),
            "a.mo:9:3: error: the function has 1 outputs, fewer than the 2 on "
            "the left side\n"
            "    9 |   (x, y) = f(1);\n"
            "      |   ^~~~~~~~~~~~~\n");
}

TEST(FlattenEquationErrorTest, StopsAConstantThatTakesForEver) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    input Real u;\n"
                     "    output Real y = 0;\n"
                     "  algorithm\n"
                     "    while true loop\n"
                     "      y := y + 1;\n"
                     "    end while;\n"
                     "  end f;\n"
                     "  parameter Integer n = integer(f(1));\n"
                     "  Real x[n];\n"
                     "end A;\n"),
            "a.mo:11:10: error: the size of an array cannot be evaluated: its "
            "computation takes too long\n"
            "   11 |   Real x[n];\n"
            "      |          ^ it must be known when the model is translated: "
            "use constants and parameters with values\n");
}

TEST(FlattenEquationErrorTest, ReportsAnAssertionThatFails) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  parameter Real k = -1;\n"
                     "  Real x = k;\n"
                     "equation\n"
                     "  assert(k > 0, \"k must be positive\");\n"
                     "end A;\n"),
            "a.mo:5:3: error: assertion fails: k must be positive\n"
            "    5 |   assert(k > 0, \"k must be positive\");\n"
            "      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

TEST(FlattenEquationErrorTest, ReportsAWrongUnitAsAWarning) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x(unit=\"meterz\") = 1;\n"
                     "end A;\n"),
            "a.mo:2:15: warning: there is no unit 'meterz'\n"
            "    2 |   Real x(unit=\"meterz\") = 1;\n"
            "      |               ^~~~~~~~\n");
}

TEST(FlattenEquationErrorTest, NamesWhatIsCalledForItsEffectAndIsUnknown) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = time;\n"
                     "equation\n"
                     "  when x > 1 then\n"
                     "    report(x);\n"
                     "  end when;\n"
                     "algorithm\n"
                     "  Modelica.Utilities.System.command(\"x\");\n"
                     "end A;\n"),
            "a.mo:5:5: error: no function 'report'\n"
            "    5 |     report(x);\n"
            "      |     ^~~~~~\n"
            "a.mo:8:22: error: no function 'System' in Modelica.Utilities\n"
            "    8 |   Modelica.Utilities.System.command(\"x\");\n"
            "      |                      ^~~~~~ only a part of the Modelica "
            "Standard Library is built in; for all of it, name the folder that "
            "its folder 'Modelica' is in by the environment variable "
            "MODELICAPATH\n");
}

TEST(FlattenEquationErrorTest, RefusesCallsForEachOfAnArrayOfStrings) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    input String s;\n"
                     "    output Real y = 1;\n"
                     "  algorithm\n"
                     "  end f;\n"
                     "  Real y[2] = f({\"a\", \"b\"});\n"
                     "end A;\n"),
            "a.mo:7:15: error: A.f element by element with Strings is not "
            "supported yet\n"
            "    7 |   Real y[2] = f({\"a\", \"b\"});\n"
            "      |               ^~~~~~~~~~~~~ call it for each of them\n");
}

TEST(FlattenEquationErrorTest, TakesInitialAlgorithmsThatOnlyCallFunctions) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    input Real x;\n"
                     "  algorithm\n"
                     "    assert(x > 0, \"x\");\n"
                     "  end f;\n"
                     "  Real y = time;\n"
                     "initial algorithm\n"
                     "  f(y);\n"
                     "end A;\n"),
            "");
}

TEST(FlattenEquationErrorTest, SaysThatTransitionsAlwaysHold) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model S\n"
                     "  end S;\n"
                     "  S s;\n"
                     "equation\n"
                     "  when time > 1 then\n"
                     "    initialState(s);\n"
                     "  end when;\n"
                     "end A;\n"),
            "a.mo:7:5: error: 'initialState' stands among equations that "
            "always hold (specification 3.6, section 17.1)\n"
            "    7 |     initialState(s);\n"
            "      |     ^~~~~~~~~~~~~~~\n");
}

}  // namespace
}  // namespace orrery::modelica
