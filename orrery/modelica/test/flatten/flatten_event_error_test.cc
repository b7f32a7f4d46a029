#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

// The findings for a model with these declarations and equations.
std::string ErrorsIn(const std::string& declarations,
                     const std::string& equations) {
  return ErrorsOf("model M\n" + declarations + "equation\n" + equations +
                  "end M;\n");
}

TEST(FlattenEventErrorTest, ReinitStandsInAWhenClause) {
  EXPECT_EQ(ErrorsIn("  Real x(start=0);\n",
                     "  der(x) = 1;\n"
                     "  reinit(x, 0);\n"),
            "a.mo:5:3: error: 'reinit' has a meaning in a when-clause only: a "
            "state jumps at an event\n"
            "    5 |   reinit(x, 0);\n"
            "      |   ^~~~~~~~~~~~ write 'when condition then reinit(x, "
            "value); end when'\n");
}

TEST(FlattenEventErrorTest, ReinitTakesAState) {
  EXPECT_EQ(ErrorsIn("  Real x = time;\n",
                     "  when x > 1 then\n"
                     "    reinit(x, 0);\n"
                     "  end when;\n"),
            "a.mo:5:12: error: cannot reinit 'x': it is no state, der() is "
            "nowhere applied to it\n"
            "    5 |     reinit(x, 0);\n"
            "      |            ^ assign it in the when-clause instead, or "
            "reinit the state it depends on\n");
}

TEST(FlattenEventErrorTest, AnAssignedVariableHasNoDerivative) {
  EXPECT_EQ(ErrorsIn("  Real x(start=0);\n",
                     "  der(x) = 1;\n"
                     "  when time > 1 then\n"
                     "    x = 2;\n"
                     "  end when;\n"),
            "a.mo:4:3: error: 'x' has no derivative: it is discrete, a "
            "when-clause assigns it at a.mo:6\n"
            "    4 |   der(x) = 1;\n"
            "      |   ^~~~~~ 'reinit' changes a state at an event\n");
}

TEST(FlattenEventErrorTest, ADiscreteVariableHasNoDerivative) {
  EXPECT_EQ(ErrorsIn("  discrete Real x(start=0);\n", "  der(x) = 1;\n"),
            "a.mo:4:3: error: 'x' has no derivative: it is discrete, as its "
            "declaration says\n"
            "    4 |   der(x) = 1;\n"
            "      |   ^~~~~~ 'reinit' changes a state at an event\n");
}

TEST(FlattenEventErrorTest, ReinitTakesAReal) {
  EXPECT_EQ(ErrorsIn("  Integer n(start=0);\n",
                     "  when time > 1 then\n"
                     "    reinit(n, 0);\n"
                     "  end when;\n"),
            "a.mo:5:12: error: 'reinit' takes a Real state, not Integer\n"
            "    5 |     reinit(n, 0);\n"
            "      |            ^ assign it with '='\n");
}

TEST(FlattenEventErrorTest, ReinitTakesAVariable) {
  EXPECT_EQ(ErrorsIn("  Real x(start=0);\n",
                     "  der(x) = 1;\n"
                     "  when time > 1 then\n"
                     "    reinit(2*x, 0);\n"
                     "  end when;\n"),
            "a.mo:6:12: error: 'reinit' takes a variable first, not a formula\n"
            "    6 |     reinit(2*x, 0);\n"
            "      |            ^~~\n");
}

TEST(FlattenEventErrorTest, ReinitTakesTwoArguments) {
  EXPECT_EQ(ErrorsIn("  Real x(start=0);\n",
                     "  der(x) = 1;\n"
                     "  when time > 1 then\n"
                     "    reinit(x);\n"
                     "  end when;\n"),
            "a.mo:6:5: error: 'reinit' takes a state and its new value\n"
            "    6 |     reinit(x);\n"
            "      |     ^~~~~~~~~\n");
}

TEST(FlattenEventErrorTest, ReinitTakesAValueOfTheStatesSize) {
  EXPECT_EQ(ErrorsIn("  Real x[2](each start=0);\n",
                     "  der(x) = {1, 2};\n"
                     "  when time > 1 then\n"
                     "    reinit(x, 0);\n"
                     "  end when;\n"),
            "a.mo:6:15: error: the state is Real[2], its value Integer\n"
            "    6 |     reinit(x, 0);\n"
            "      |               ^\n");
}

TEST(FlattenEventErrorTest, WhenClausesAreNotNested) {
  EXPECT_EQ(ErrorsIn("  Integer n;\n",
                     "  when time > 1 then\n"
                     "    when time > 2 then\n"
                     "      n = 1;\n"
                     "    end when;\n"
                     "  end when;\n"),
            "a.mo:5:5: error: a when-clause cannot stand in another one\n"
            "    5 |     when time > 2 then\n"
            "      |     ^~~~~~~~~~~~~~~~~~ join the conditions with 'and', or "
            "use 'elsewhen'\n");
}

TEST(FlattenEventErrorTest, AWhenClauseDependsOnNoVaryingCondition) {
  EXPECT_EQ(
      ErrorsIn("  Integer n;\n",
               "  if time > 1 then\n"
               "    when time > 2 then\n"
               "      n = 1;\n"
               "    end when;\n"
               "  end if;\n"),
      "a.mo:5:5: error: a when-clause cannot depend on a condition that "
      "changes during a run\n"
      "    5 |     when time > 2 then\n"
      "      |     ^~~~~~~~~~~~~~~~~~ write 'if' inside of the when-clause\n");
}

TEST(FlattenEventErrorTest, AWhenClauseIsNoInitialEquation) {
  EXPECT_EQ(
      ErrorsIn("  Real x(start=0);\n",
               "  der(x) = 1;\n"
               "initial equation\n"
               "  when x > 1 then\n"
               "    x = 2;\n"
               "  end when;\n"),
      "a.mo:6:3: error: a when-clause cannot stand among initial equations\n"
      "    6 |   when x > 1 then\n"
      "      |   ^~~~~~~~~~~~~~~ write 'when initial() then' among the "
      "equations\n");
}

TEST(FlattenEventErrorTest, AFunctionHasNoWhen) {
  EXPECT_EQ(ErrorsIn("  function f\n"
                     "    input Real u;\n"
                     "    output Real y;\n"
                     "  algorithm\n"
                     "    when u > 1 then\n"
                     "      y := 1;\n"
                     "    end when;\n"
                     "  end f;\n"
                     "  Real x = f(time);\n",
                     ""),
            "a.mo:6:5: error: 'when' cannot be used in a function: a function "
            "knows of no events and remembers nothing\n"
            "    6 |     when u > 1 then\n"
            "      |     ^~~~~~~~~~~~~~~ use it in an algorithm section of a "
            "model or block\n");
}

TEST(FlattenEventErrorTest, AWhenStatementStandsByItself) {
  EXPECT_EQ(ErrorsIn("  Integer n;\n",
                     "algorithm\n"
                     "  if time > 1 then\n"
                     "    when time > 2 then\n"
                     "      n := 1;\n"
                     "    end when;\n"
                     "  end if;\n"),
            "a.mo:6:5: error: a when-statement cannot stand in an if-, "
            "while- or another when-statement, nor in a loop over a range that "
            "only the run knows\n"
            "    6 |     when time > 2 then\n"
            "      |     ^~~~~~~~~~~~~~~~~~ write the other statement inside "
            "of 'when'\n");
}

TEST(FlattenEventErrorTest, AWhenStatementIsNotOfAnInitialAlgorithm) {
  EXPECT_EQ(
      ErrorsIn("  Real x(start=0);\n",
               "  der(x) = 1;\n"
               "initial algorithm\n"
               "  when time > 2 then\n"
               "    x := 1;\n"
               "  end when;\n"),
      "a.mo:6:3: error: a when-statement cannot stand in an initial algorithm\n"
      "    6 |   when time > 2 then\n"
      "      |   ^~~~~~~~~~~~~~~~~~ write 'when initial() then' in an "
      "algorithm\n");
}

TEST(FlattenEventErrorTest, OneWhenClauseAssignsAVariable) {
  EXPECT_EQ(ErrorsIn("  Integer n;\n",
                     "  when time > 1 then\n"
                     "    n = 1;\n"
                     "  end when;\n"
                     "  when time > 2 then\n"
                     "    n = 2;\n"
                     "  end when;\n"),
            "a.mo:8:5: error: 'n' is assigned in two when-clauses: in this one "
            "and in the one at a.mo:5\n"
            "    8 |     n = 2;\n"
            "      |     ^~~~~ join them to 'when ... elsewhen ...': one "
            "clause has to say which assignment wins\n");
}

TEST(FlattenEventErrorTest, OneWhenClauseAssignsAnElement) {
  EXPECT_EQ(ErrorsIn("  Integer n[2];\n",
                     "  when time > 1 then\n"
                     "    n = {1, 2};\n"
                     "  end when;\n"
                     "  when time > 2 then\n"
                     "    n[2] = 2;\n"
                     "  end when;\n"),
            "a.mo:8:5: error: 'n[2]' is assigned in two when-clauses: in this "
            "one and in the one at a.mo:5\n"
            "    8 |     n[2] = 2;\n"
            "      |     ^~~~~~~~ join them to 'when ... elsewhen ...': one "
            "clause has to say which assignment wins\n");
}

TEST(FlattenEventErrorTest, AnAlgorithmAndAWhenClauseAssignNoVariableTogether) {
  EXPECT_EQ(ErrorsIn("  Integer n;\n",
                     "  when time > 1 then\n"
                     "    n = 1;\n"
                     "  end when;\n"
                     "algorithm\n"
                     "  when time > 2 then\n"
                     "    n := 2;\n"
                     "  end when;\n"),
            "a.mo:9:5: error: 'n' is assigned in two when-clauses: in this one "
            "and in the one at a.mo:5\n"
            "    9 |     n := 2;\n"
            "      |     ^ join them to 'when ... elsewhen ...': one clause "
            "has to say which assignment wins\n");
}

TEST(FlattenEventErrorTest, ABranchAssignsAVariableOnce) {
  EXPECT_EQ(ErrorsIn("  Integer n;\n",
                     "  when time > 1 then\n"
                     "    n = 1;\n"
                     "    n = 2;\n"
                     "  end when;\n"),
            "a.mo:6:5: error: 'n' is assigned twice in one branch, here and at "
            "a.mo:5\n"
            "    6 |     n = 2;\n"
            "      |     ^~~~~\n");
}

TEST(FlattenEventErrorTest, BranchesAssignTheSameVariables) {
  EXPECT_EQ(ErrorsIn("  Integer n;\n"
                     "  Real x;\n",
                     "  when time > 1 then\n"
                     "    n = 1;\n"
                     "    x = 2;\n"
                     "  elsewhen time > 2 then\n"
                     "    n = 2;\n"
                     "  end when;\n"),
            "a.mo:5:3: error: all branches in a when-clause assign the same "
            "variables: 'x' is assigned in branch 1, but not in branch 2\n"
            "    5 |   when time > 1 then\n"
            "      |   ^~~~~~~~~~~~~~~~~~ where it keeps its value, write 'x = "
            "pre(x)'\n");
}

TEST(FlattenEventErrorTest, AnIfInAWhenAssignsTheSameInItsBranches) {
  EXPECT_EQ(ErrorsIn("  Integer n;\n",
                     "  when time > 1 then\n"
                     "    if time > 2 then\n"
                     "      n = 1;\n"
                     "    end if;\n"
                     "  end when;\n"),
            "a.mo:5:5: error: all branches in a when-clause assign the same "
            "variables: 'n' is assigned in branch 1, but not where no "
            "condition holds\n"
            "    5 |     if time > 2 then\n"
            "      |     ^~~~~~~~~~~~~~~~ where it keeps its value, write 'n = "
            "pre(n)'\n");
}

TEST(FlattenEventErrorTest, AWhenClauseAssignsVariables) {
  EXPECT_EQ(ErrorsIn("  Real x;\n",
                     "  when time > 1 then\n"
                     "    2*x = 1;\n"
                     "  end when;\n"),
            "a.mo:5:5: error: the left side of an equation in a when-clause is "
            "the variable that it assigns, not a formula\n"
            "    5 |     2*x = 1;\n"
            "      |     ^~~\n");
}

TEST(FlattenEventErrorTest, AWhenClauseDoesNotAssignParameters) {
  EXPECT_EQ(
      ErrorsIn("  parameter Real p = 1;\n",
               "  when time > 1 then\n"
               "    p = 2;\n"
               "  end when;\n"),
      "a.mo:5:5: error: parameter 'p' cannot be assigned in a when-clause\n"
      "    5 |     p = 2;\n"
      "      |     ^\n");
}

TEST(FlattenEventErrorTest, AWhenClauseAssignsKnownElements) {
  EXPECT_EQ(ErrorsIn("  Integer n(start=1);\n"
                     "  Real x[2];\n",
                     "  n = integer(time);\n"
                     "  when time > 1 then\n"
                     "    x[n] = 2;\n"
                     "  end when;\n"),
            "a.mo:7:5: error: the subscripts of what a when-clause assigns "
            "must be known when the model is translated\n"
            "    7 |     x[n] = 2;\n"
            "      |     ^~~~~~~~\n");
}

TEST(FlattenEventErrorTest, AWhenClauseDoesNotConnect) {
  EXPECT_EQ(ErrorsIn("  connector C = Real;\n"
                     "  C a;\n"
                     "  C b;\n",
                     "  when time > 1 then\n"
                     "    connect(a, b);\n"
                     "  end when;\n"),
            "a.mo:7:5: error: 'connect' cannot stand in a when-clause\n"
            "    7 |     connect(a, b);\n"
            "      |     ^~~~~~~~~~~~~\n");
}

TEST(FlattenEventErrorTest, TheConditionOfAWhenIsBoolean) {
  EXPECT_EQ(ErrorsIn("  Real x;\n",
                     "  when time then\n"
                     "    x = 2;\n"
                     "  end when;\n"),
            "a.mo:4:8: error: the condition of a when-clause is Boolean or a "
            "vector of Booleans, not Real\n"
            "    4 |   when time then\n"
            "      |        ^~~~\n");
}

TEST(FlattenEventErrorTest, AnArrayIsDiscreteAsAWhole) {
  EXPECT_EQ(
      ErrorsIn("  Real x[2];\n",
               "  x[1] = time;\n"
               "  when time > 1 then\n"
               "    x[2] = 2;\n"
               "  end when;\n"),
      "a.mo:6:5: error: when-clauses assign some elements of 'x', but not "
      "'x[1]': the elements of an array are discrete or continuous together\n"
      "    6 |     x[2] = 2;\n"
      "      |     ^~~~~~~~ declare it by itself\n");
}

TEST(FlattenEventErrorTest, TheIntervalOfASampleIsPositive) {
  EXPECT_EQ(
      ErrorsIn("  Real x;\n",
               "  when sample(0, 0) then\n"
               "    x = time;\n"
               "  end when;\n"),
      "a.mo:4:18: error: cannot sample with interval 0: time would stand "
      "still\n"
      "    4 |   when sample(0, 0) then\n"
      "      |                  ^ the interval must be greater than 0 s\n");
}

TEST(FlattenEventErrorTest, TheIntervalOfASampleIsPositiveByItsParameter) {
  EXPECT_EQ(
      ErrorsIn("  parameter Real T = -0.5;\n"
               "  Real x;\n",
               "  when sample(0, T) then\n"
               "    x = time;\n"
               "  end when;\n"),
      "a.mo:5:18: error: cannot sample with interval -0.5: time would stand "
      "still\n"
      "    5 |   when sample(0, T) then\n"
      "      |                  ^ the interval must be greater than 0 s\n");
}

TEST(FlattenEventErrorTest, ASampleDependsOnParameters) {
  EXPECT_EQ(ErrorsIn("  Real x;\n",
                     "  when sample(0, x) then\n"
                     "    x = time;\n"
                     "  end when;\n"),
            "a.mo:4:18: error: this argument of 'sample' depends on 'x': only "
            "constants and parameters may stand here\n"
            "    4 |   when sample(0, x) then\n"
            "      |                  ^\n");
}

TEST(FlattenEventErrorTest, PreTakesDiscreteVariables) {
  EXPECT_EQ(
      ErrorsIn("  Real x(start=0);\n"
               "  Real y;\n",
               "  der(x) = 1;\n"
               "  y = pre(x);\n"),
      "a.mo:6:7: error: 'x' has no value before an event here: it is "
      "continuous, and 'pre', 'edge' and 'change' take discrete variables "
      "outside of when-clauses\n"
      "    6 |   y = pre(x);\n"
      "      |       ^~~~~~ assign it in a when-clause, or use this in one\n");
}

TEST(FlattenEventErrorTest, PreTakesAVariable) {
  EXPECT_EQ(
      ErrorsIn("  Real y;\n", "  y = pre(2*time);\n"),
      "a.mo:4:11: error: 'pre' takes a variable, not a formula\n"
      "    4 |   y = pre(2*time);\n"
      "      |           ^~~~~~ give the formula a variable of its own\n");
}

TEST(FlattenEventErrorTest, PreKnowsNoTime) {
  EXPECT_EQ(
      ErrorsIn("  Real y;\n", "  y = pre(time);\n"),
      "a.mo:4:11: error: 'pre' takes a variable of the model, not 'time'\n"
      "    4 |   y = pre(time);\n"
      "      |           ^~~~\n");
}

TEST(FlattenEventErrorTest, AFunctionHasNoPre) {
  EXPECT_EQ(ErrorsIn("  function f\n"
                     "    input Integer n;\n"
                     "    output Integer m;\n"
                     "  algorithm\n"
                     "    m := pre(n);\n"
                     "  end f;\n"
                     "  Integer x = f(2);\n",
                     ""),
            "a.mo:6:10: error: 'pre' cannot be used in a function: a function "
            "knows of no events and remembers nothing\n"
            "    6 |     m := pre(n);\n"
            "      |          ^~~~~~ use it where the function is called\n");
}

TEST(FlattenEventErrorTest, EdgeTakesABoolean) {
  EXPECT_EQ(
      ErrorsIn("  Integer n = integer(time);\n"
               "  Boolean b = edge(n);\n",
               ""),
      "a.mo:3:20: error: 'edge' takes a Boolean, not Integer\n"
      "    3 |   Boolean b = edge(n);\n"
      "      |                    ^ 'change' takes all discrete variables\n");
}

TEST(FlattenEventErrorTest, EdgeTakesAVariable) {
  EXPECT_EQ(ErrorsIn("  Boolean b = edge(time > 1);\n", ""),
            "a.mo:2:20: error: 'edge' takes a variable, not a formula\n"
            "    2 |   Boolean b = edge(time > 1);\n"
            "      |                    ^~~~~~~~ give the formula a variable "
            "of its own\n");
}

TEST(FlattenEventErrorTest, AVaryingDelayNeedsALargestOne) {
  EXPECT_EQ(ErrorsIn("  Real y;\n", "  y = delay(time, time/2);\n"),
            "a.mo:4:19: error: this argument of 'delay' depends on 'time': "
            "only constants and parameters may stand here\n"
            "    4 |   y = delay(time, time/2);\n"
            "      |                   ^~~~~~ give the longest delay as a "
            "third argument\n");
}

TEST(FlattenEventErrorTest, ADelayIsNotNegative) {
  EXPECT_EQ(
      ErrorsIn("  Real y;\n", "  y = delay(time, -1);\n"),
      "a.mo:4:19: error: cannot delay by -1 s: what comes is not known yet\n"
      "    4 |   y = delay(time, -1);\n"
      "      |                   ^~ a delay is not negative\n");
}

TEST(FlattenEventErrorTest, SmoothTakesANumberOfDerivatives) {
  EXPECT_EQ(ErrorsIn("  Real y;\n", "  y = smooth(-1, abs(time));\n"),
            "a.mo:4:14: error: 'smooth' takes a number of continuous "
            "derivatives, not -1\n"
            "    4 |   y = smooth(-1, abs(time));\n"
            "      |              ^~\n");
}

TEST(FlattenEventErrorTest, AFunctionDoesNotTerminateTheRun) {
  EXPECT_EQ(ErrorsIn("  function f\n"
                     "    input Real u;\n"
                     "    output Real y;\n"
                     "  algorithm\n"
                     "    terminate(\"now\");\n"
                     "  end f;\n"
                     "  Real x = f(time);\n",
                     ""),
            "a.mo:6:5: error: 'terminate' cannot be used in a function\n"
            "    6 |     terminate(\"now\");\n"
            "      |     ^~~~~~~~~~~~~~~~ use it in a when-clause of an "
            "equation section\n");
}

TEST(FlattenEventErrorTest, AnAlgorithmDoesNotReinit) {
  EXPECT_EQ(ErrorsIn("  Real x(start=0);\n",
                     "  der(x) = 1;\n"
                     "algorithm\n"
                     "  when time > 1 then\n"
                     "    reinit(x, 0);\n"
                     "  end when;\n"),
            "a.mo:7:5: error: 'reinit' cannot be used in an algorithm\n"
            "    7 |     reinit(x, 0);\n"
            "      |     ^~~~~~~~~~~~ use it in a when-clause of an equation "
            "section\n");
}

TEST(FlattenEventErrorTest, AnAssertIsNoValue) {
  EXPECT_EQ(ErrorsIn("  Boolean b;\n", "  b = assert(time > 1, \"a\");\n"),
            "a.mo:4:7: error: 'assert' is no value: it stands by itself, not "
            "in a formula\n"
            "    4 |   b = assert(time > 1, \"a\");\n"
            "      |       ^~~~~~~~~~~~~~~~~~~~~\n");
}

TEST(FlattenEventErrorTest, AnAssertHasAMessage) {
  EXPECT_EQ(ErrorsIn("  Real x = time;\n", "  assert(x > 1);\n"),
            "a.mo:4:3: error: 'assert' takes a condition and a message\n"
            "    4 |   assert(x > 1);\n"
            "      |   ^~~~~~~~~~~~~\n");
}

TEST(FlattenEventErrorTest, AnAssertHasNoFourthArgument) {
  EXPECT_EQ(ErrorsIn("  Real x = time;\n",
                     "  assert(x > 1, \"a\", AssertionLevel.error, 3);\n"),
            "a.mo:4:44: error: 'assert' takes 3 arguments, not 4\n"
            "    4 |   assert(x > 1, \"a\", AssertionLevel.error, 3);\n"
            "      |                                            ^\n");
}

TEST(FlattenEventErrorTest, AMessageIsText) {
  EXPECT_EQ(ErrorsIn("  Real x = time;\n", "  assert(x > 1, x);\n"),
            "a.mo:4:17: error: a String that is known now is expected here, "
            "not Real\n"
            "    4 |   assert(x > 1, x);\n"
            "      |                 ^\n");
}

TEST(FlattenEventErrorTest, ATextHasAtMost17Digits) {
  EXPECT_EQ(ErrorsIn("  Real x = time;\n",
                     "  assert(x > 1, String(x, significantDigits=40));\n"),
            "a.mo:4:45: error: 'String' writes 1 to 17 digits, not 40\n"
            "    4 |   assert(x > 1, String(x, significantDigits=40));\n"
            "      |                                             ^~\n");
}

TEST(FlattenEventErrorTest, AFormatOfAValueFitsIt) {
  EXPECT_EQ(ErrorsIn("  Real x = time;\n",
                     "  assert(x > 1, String(x, format=\"4d\"));\n"),
            "a.mo:4:34: error: '4d' is no format of Real\n"
            "    4 |   assert(x > 1, String(x, format=\"4d\"));\n"
            "      |                                  ^~~~ it is one of C "
            "without the percent sign, as \"8.3f\" for a Real or \"4d\" for an "
            "Integer\n");
}

TEST(FlattenEventErrorTest, ADecidedAssertionFailsAtOnce) {
  EXPECT_EQ(ErrorsIn("  parameter Real k = -1;\n",
                     "  assert(k > 0, \"k is \" + String(k));\n"),
            "a.mo:4:3: error: assertion fails: k is -1\n"
            "    4 |   assert(k > 0, \"k is \" + String(k));\n"
            "      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

}  // namespace
}  // namespace orrery::modelica
