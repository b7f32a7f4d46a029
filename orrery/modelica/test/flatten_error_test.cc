#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

TEST(FlattenErrorTest, NamesAnUnknownClassInAComponent) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Reel x;\n"
                     "equation\n"
                     "  x = 1;\n"
                     "end A;\n"),
            "a.mo:2:3: error: no class 'Reel' is known here\n"
            "    2 |   Reel x;\n"
            "      |   ^~~~ did you mean 'Real'?\n");
}

TEST(FlattenErrorTest, NamesAnUnknownElementOfAPackage) {
  EXPECT_EQ(ErrorsOf("package P\n"
                     "  constant Real gravity = 9.81;\n"
                     "  model A\n"
                     "    Real x = P.gravty;\n"
                     "  end A;\n"
                     "end P;\n"),
            "a.mo:4:16: error: no element 'gravty' in class P\n"
            "    4 |     Real x = P.gravty;\n"
            "      |                ^~~~~~ did you mean 'gravity'?\n");
}

TEST(FlattenErrorTest, NamesAnUnknownElementOfAComponent) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model Spring\n"
                     "    Real force = 1;\n"
                     "  end Spring;\n"
                     "  Spring s;\n"
                     "  Real x = s.forze;\n"
                     "end A;\n"),
            "a.mo:6:14: error: no element 'forze' in class A.Spring\n"
            "    6 |   Real x = s.forze;\n"
            "      |              ^~~~~ did you mean 'force'?\n");
}

TEST(FlattenErrorTest, RefusesARedeclarationThatLacksWhatConstrainsIt) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model P\n"
                     "    Real y = 1;\n"
                     "  end P;\n"
                     "  model Q\n"
                     "    Real z = 2;\n"
                     "  end Q;\n"
                     "  model B\n"
                     "    replaceable P k;\n"
                     "  end B;\n"
                     "  B b(redeclare Q k);\n"
                     "end A;\n"),
            "a.mo:11:17: error: cannot redeclare 'b.k' as A.Q: it has no "
            "public 'y' as A.P has\n"
            "   11 |   B b(redeclare Q k);\n"
            "      |                 ^ take a class that extends A.P, or widen "
            "what constrains it by 'constrainedby'\n");
}

TEST(FlattenErrorTest, RefusesARedeclaredClassThatLacksWhatConstrainsIt) {
  const std::string classes =
      "model A\n"
      "  model P\n"
      "    Real y = 1;\n"
      "  end P;\n"
      "  model Q\n"
      "    Real z = 2;\n"
      "  end Q;\n"
      "  model B\n"
      "    replaceable model M = P;\n"
      "    M m;\n"
      "  end B;\n";
  EXPECT_EQ(ErrorsOf(classes + "  B b(redeclare model M = Q);\nend A;\n"),
            "a.mo:12:23: error: cannot redeclare 'M' so: it has no public 'y' "
            "as A.P has\n"
            "   12 |   B b(redeclare model M = Q);\n"
            "      |                       ^ take a class that extends A.P, or "
            "widen what constrains it by 'constrainedby'\n");
  EXPECT_THAT(ErrorsOf(classes + "  model C\n"
                                 "    extends B;\n"
                                 "    redeclare model M = Q;\n"
                                 "  end C;\n"
                                 "  C c;\n"
                                 "end A;\n"),
              testing::HasSubstr("a.mo:14:21: error: cannot redeclare 'M' so"));
}

TEST(FlattenErrorTest, TakesARedeclaredClassThatHasWhatConstrainsIt) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model P\n"
                     "    Real y = 1;\n"
                     "  end P;\n"
                     "  model Long\n"
                     "    Real y = 2;\n"
                     "    Real z = 3;\n"
                     "  end Long;\n"
                     "  model B\n"
                     "    replaceable model M = Long constrainedby P;\n"
                     "    M m;\n"
                     "  end B;\n"
                     "  B b(redeclare model M = P);\n"
                     "end A;\n"),
            "");
}

TEST(FlattenErrorTest, RefusesAProtectedElementOfAComponent) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model Tank\n"
                     "    Real inflow = 1;\n"
                     "  protected\n"
                     "    Real level = 2*inflow;\n"
                     "  end Tank;\n"
                     "  Tank t;\n"
                     "  Real x = t.inflow + t.level;\n"
                     "end A;\n"),
            "a.mo:8:25: error: cannot use 'level' here: it is protected in "
            "class A.Tank\n"
            "    8 |   Real x = t.inflow + t.level;\n"
            "      |                         ^~~~~ make it public, or use a "
            "public variable of the class\n");
}

TEST(FlattenErrorTest, RefusesToModifyAProtectedElementOfAComponent) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model Tank\n"
                     "  protected\n"
                     "    parameter Real area = 2;\n"
                     "  end Tank;\n"
                     "  Tank t(area = 3);\n"
                     "end A;\n"),
            "a.mo:6:10: error: cannot modify 'area' here: it is protected in "
            "class A.Tank\n"
            "    6 |   Tank t(area = 3);\n"
            "      |          ^~~~ make it public, or inherit from the "
            "class\n");
}

TEST(FlattenErrorTest, ModifiesAProtectedElementOfABaseClass) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model Tank\n"
                     "  protected\n"
                     "    parameter Real area = 2;\n"
                     "  end Tank;\n"
                     "  extends Tank(area = 3);\n"
                     "end A;\n"),
            "");
}

TEST(FlattenErrorTest, RefusesAProtectedConstantOfAPackage) {
  EXPECT_THAT(ErrorsOf("package P\n"
                       "protected\n"
                       "  constant Real c = 1;\n"
                       "public\n"
                       "  model A\n"
                       "    Real x = c;\n"
                       "    Real y = P.c;\n"
                       "  end A;\n"
                       "end P;\n"),
              testing::StartsWith("a.mo:7:16: error: cannot use 'c' here"));
}

TEST(FlattenErrorTest, RefusesAnIntegerThatIsNotExact) {
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  parameter Integer n = 9007199254740992;\n"
                       "end A;\n"),
              testing::StartsWith("a.mo:2:25: error: this Integer is too "
                                  "large: Integers lie between -2^53"));
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  parameter Integer n = 9007199254740991 + 1;\n"
                       "end A;\n"),
              testing::StartsWith("a.mo:2:25: error: this Integer is too "
                                  "large: Integers lie between -2^53"));
}

TEST(FlattenErrorTest, NoticesIntegerOverflowInASize) {
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  parameter Integer n = 3037000500;\n"
                       "  Real x[if n*n*n > 0 then 2 else 1] = {1, 2};\n"
                       "end A;\n"),
              testing::HasSubstr("an Integer in it is too large"));
}

TEST(FlattenErrorTest, NamesAnUnknownModifier) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model Spring\n"
                     "    parameter Real k = 1;\n"
                     "  end Spring;\n"
                     "  Spring s(K=2);\n"
                     "end A;\n"),
            "a.mo:5:12: error: no element 'K' in class A.Spring\n"
            "    5 |   Spring s(K=2);\n"
            "      |            ^ did you mean 'k'?\n");
}

TEST(FlattenErrorTest, NamesAnUnknownModifierOfAnInheritedClass) {
  EXPECT_EQ(ErrorsOf("package P\n"
                     "  model Base\n"
                     "    parameter Real mass = 1;\n"
                     "  end Base;\n"
                     "  model A\n"
                     "    extends Base(maas=2);\n"
                     "    Real x = mass;\n"
                     "    annotation(experiment(StopTime=1));\n"
                     "  end A;\n"
                     "end P;\n"),
            "a.mo:6:18: error: no element 'maas' in class P.Base\n"
            "    6 |     extends Base(maas=2);\n"
            "      |                  ^~~~ did you mean 'mass'?\n");
}

TEST(FlattenErrorTest, NamesAnUnknownAttribute) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x(strat=1) = 2;\n"
                     "end A;\n"),
            "a.mo:2:10: error: no attribute 'strat' in type Real\n"
            "    2 |   Real x(strat=1) = 2;\n"
            "      |          ^~~~~ did you mean 'start'?\n");
}

TEST(FlattenErrorTest, NamesAnUnknownFunction) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = sinn(1);\n"
                     "end A;\n"),
            "a.mo:2:12: error: no function 'sinn'\n"
            "    2 |   Real x = sinn(1);\n"
            "      |            ^~~~ did you mean 'sign'?\n");
}

TEST(FlattenErrorTest, NamesAnUnknownLiteralOfAnEnumeration) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  type Color = enumeration(red, green);\n"
                     "  Color c = Color.gren;\n"
                     "end A;\n"),
            "a.mo:3:19: error: no literal 'gren' in enumeration A.Color\n"
            "    3 |   Color c = Color.gren;\n"
            "      |                   ^~~~ did you mean 'green'?\n");
}

TEST(FlattenErrorTest, NamesAnUnknownInputOfAFunction) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    input Real speed;\n"
                     "    output Real y = speed;\n"
                     "  algorithm\n"
                     "  end f;\n"
                     "  Real x = f(sped=1);\n"
                     "end A;\n"),
            "a.mo:7:14: error: no input 'sped' in A.f\n"
            "    7 |   Real x = f(sped=1);\n"
            "      |              ^~~~ did you mean 'speed'?\n");
}

TEST(FlattenErrorTest, CountsTheArgumentsOfAFunction) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    input Real u;\n"
                     "    output Real y = u;\n"
                     "  algorithm\n"
                     "  end f;\n"
                     "  Real x = f(1, 2);\n"
                     "  Real y = f();\n"
                     "  Real z = sin(1, 2);\n"
                     "end A;\n"),
            "a.mo:7:17: error: A.f takes 1 argument, not 2\n"
            "    7 |   Real x = f(1, 2);\n"
            "      |                 ^\n"
            "a.mo:8:12: error: input 'u' of A.f is not given\n"
            "    8 |   Real y = f();\n"
            "      |            ^~~\n"
            "a.mo:9:12: error: 'sin' takes 1 argument, not 2\n"
            "    9 |   Real z = sin(1, 2);\n"
            "      |            ^~~~~~~~~\n");
}

TEST(FlattenErrorTest, FindsANameDeclaredTwice) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = 1;\n"
                     "  Integer x = 2;\n"
                     "end A;\n"),
            "a.mo:3:11: error: 'x' is declared twice in A\n"
            "    3 |   Integer x = 2;\n"
            "      |           ^\n");
}

TEST(FlattenErrorTest, FindsANameThatIsAlsoInherited) {
  EXPECT_EQ(ErrorsOf("package P\n"
                     "  model B\n"
                     "    Real x = 1;\n"
                     "  end B;\n"
                     "  model A\n"
                     "    extends B;\n"
                     "    parameter Real x = 2;\n"
                     "    annotation(experiment(StopTime=1));\n"
                     "  end A;\n"
                     "end P;\n"),
            "a.mo:7:20: error: 'x' is declared twice in P.A\n"
            "    7 |     parameter Real x = 2;\n"
            "      |                    ^ it is also inherited\n");
}

TEST(FlattenErrorTest, FindsCyclicInheritance) {
  EXPECT_EQ(ErrorsOf("package P\n"
                     "  model A\n"
                     "    extends B;\n"
                     "  end A;\n"
                     "  model B\n"
                     "    extends A;\n"
                     "  end B;\n"
                     "end P;\n",
                     "P.A"),
            "a.mo:6:13: error: class A inherits from itself: A extends B, "
            "B extends A\n"
            "    6 |     extends A;\n"
            "      |             ^ break the circle of extends clauses\n");
}

TEST(FlattenErrorTest, NamesALongCircleOfInheritanceFromWhereItIsEntered) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  extends B;\n"
                     "end A;\n"
                     "model B\n"
                     "  extends C;\n"
                     "end B;\n"
                     "model C\n"
                     "  extends A;\n"
                     "end C;\n"
                     "model Outside\n"
                     "  extends A;\n"
                     "end Outside;\n",
                     "Outside"),
            "a.mo:8:11: error: class A inherits from itself: A extends B, "
            "B extends C, C extends A\n"
            "    8 |   extends A;\n"
            "      |           ^ break the circle of extends clauses\n");
}

TEST(FlattenErrorTest, FindsAModelThatExtendsItself) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  extends A;\n"
                     "end A;\n"),
            "a.mo:2:11: error: class A inherits from itself\n"
            "    2 |   extends A;\n"
            "      |           ^ break the circle of extends clauses\n");
}

TEST(FlattenErrorTest, LimitsTheDepthOfInheritance) {
  std::string text = "model L0\nend L0;\n";
  for (int i = 1; i <= 300; ++i) {
    const std::string name = "L" + std::to_string(i);
    text += "model " + name + "\n  extends L" + std::to_string(i - 1) +
            ";\nend " + name + ";\n";
  }
  EXPECT_THAT(ErrorsOf(text, "L300"),
              testing::HasSubstr("error: class L300 inherits through more than "
                                 "200 classes\n"));
}

TEST(FlattenErrorTest, CountsComponentsOfArraysInArraysBeforeTheyAreMade) {
  std::string text = "model L0\n  Real x = 1;\nend L0;\n";
  for (int i = 1; i <= 3; ++i) {
    const std::string name = "L" + std::to_string(i);
    text += "model " + name + "\n  L" + std::to_string(i - 1) +
            " a[1000];\nend " + name + ";\n";
  }
  EXPECT_EQ(ErrorsOf(text, "L3"),
            "a.mo:5:6: error: there are too many 'a[1].a[1].a': in arrays in "
            "arrays they would be 1000*1000*1000; at most 1000000 are "
            "possible\n"
            "    5 |   L0 a[1000];\n"
            "      |      ^\n");
}

TEST(FlattenErrorTest, FindsAModelThatContainsItself) {
  EXPECT_EQ(ErrorsOf("package P\n"
                     "  model A\n"
                     "    B b;\n"
                     "  end A;\n"
                     "  model B\n"
                     "    A a;\n"
                     "  end B;\n"
                     "end P;\n",
                     "P.A"),
            "a.mo:6:7: error: class P.A contains itself: component 'b.a' is of "
            "the class that it is a part of\n"
            "    6 |     A a;\n"
            "      |       ^\n");
}

TEST(FlattenErrorTest, RefusesAFunctionAsAType) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    input Real u;\n"
                     "    output Real y = u;\n"
                     "  algorithm\n"
                     "  end f;\n"
                     "  f x;\n"
                     "end A;\n"),
            "a.mo:7:3: error: 'f' is a function, not a type of components\n"
            "    7 |   f x;\n"
            "      |   ^\n");
}

TEST(FlattenErrorTest, RefusesAPartialClassAsAType) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  partial model Base\n"
               "    Real x;\n"
               "  end Base;\n"
               "  Base b;\n"
               "end A;\n"),
      "a.mo:5:3: error: cannot make a component of the partial class A.Base\n"
      "    5 |   Base b;\n"
      "      |   ^~~~ use a class that extends it and is complete\n");
}

TEST(FlattenErrorTest, RefusesAPartialModel) {
  EXPECT_EQ(
      ErrorsOf("partial model A\n"
               "  Real x = 1;\n"
               "end A;\n",
               "A"),
      "a.mo:1:15: error: cannot simulate the partial class A\n"
      "    1 | partial model A\n"
      "      |               ^ use a class that extends it and is complete\n");
}

TEST(FlattenErrorTest, RefusesToSimulateAPackage) {
  EXPECT_EQ(ErrorsOf("package P\n"
                     "  constant Real x = 1;\n"
                     "end P;\n",
                     "P"),
            "a.mo:1:9: error: cannot simulate P: it is a package\n"
            "    1 | package P\n"
            "      |         ^ models and blocks can be simulated\n");
}

TEST(FlattenErrorTest, RefusesAClassThatDoesNotExist) {
  EXPECT_EQ(ErrorsOf("model Pump\n"
                     "  Real x = 1;\n"
                     "end Pump;\n",
                     "Pumpe"),
            "a.mo:1:1: error: there is no class 'Pumpe' in this text\n"
            "    1 | model Pump\n"
            "      | ^ did you mean 'Pump'?\n");
}

TEST(FlattenErrorTest, ListsTheModelsOfAPackage) {
  EXPECT_EQ(ErrorsOf("package P\n"
                     "  model A\n"
                     "    Real x = 1;\n"
                     "  end A;\n"
                     "  model B\n"
                     "    Real x = 1;\n"
                     "  end B;\n"
                     "end P;\n"),
            "a.mo:1:1: error: there are several models in this text\n"
            "    1 | package P\n"
            "      | ^ name one of them: P.A, P.B\n");
}

TEST(FlattenErrorTest, RefusesAComponentAsAClass) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = 1;\n"
                     "  x y;\n"
                     "end A;\n"),
            "a.mo:3:3: error: 'x' is not a class: 'x' is a component of A\n"
            "    3 |   x y;\n"
            "      |   ^\n");
}

TEST(FlattenErrorTest, RefusesAClassAsAValue) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model B\n"
                     "    Real x = 1;\n"
                     "  end B;\n"
                     "  Real x = B;\n"
                     "end A;\n"),
            "a.mo:5:12: error: 'B' is a model, not a variable\n"
            "    5 |   Real x = B;\n"
            "      |            ^\n");
}

TEST(FlattenErrorTest, RefusesAModelAsAValue) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model B\n"
                     "    Real x = 1;\n"
                     "  end B;\n"
                     "  B b;\n"
                     "  Real x = b + 1;\n"
                     "end A;\n"),
            "a.mo:6:12: error: 'b' is a component of model A.B, not a value\n"
            "    6 |   Real x = b + 1;\n"
            "      |            ^ name one of its variables\n");
}

TEST(FlattenErrorTest, RefusesAVariableOfAnotherClass) {
  EXPECT_EQ(ErrorsOf("package P\n"
                     "  model B\n"
                     "    Real x = 1;\n"
                     "  end B;\n"
                     "  model A\n"
                     "    Real y = B.x;\n"
                     "    annotation(experiment(StopTime=1));\n"
                     "  end A;\n"
                     "end P;\n"),
            "a.mo:6:14: error: 'P.B.x' is not a constant: of a class that is "
            "not a component, only constants can be used\n"
            "    6 |     Real y = B.x;\n"
            "      |              ^~~ declare it 'constant'\n");
}

TEST(FlattenErrorTest, RefusesABooleanForAReal) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = true;\n"
                     "end A;\n"),
            "a.mo:2:12: error: 'x' is Real, its value Boolean\n"
            "    2 |   Real x = true;\n"
            "      |            ^~~~\n");
}

TEST(FlattenErrorTest, RefusesARealForAnInteger) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Integer n = 1.5;\n"
                     "end A;\n"),
            "a.mo:2:15: error: 'n' is Integer, its value Real\n"
            "    2 |   Integer n = 1.5;\n"
            "      |               ^~~\n");
}

TEST(FlattenErrorTest, RefusesArithmeticOfBooleans) {
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

TEST(FlattenErrorTest, RefusesAnEquationOfDifferentTypes) {
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

TEST(FlattenErrorTest, RefusesToCompareDifferentTypes) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  type Color = enumeration(red, green);\n"
                     "  Real x = if Color.red == 1 then 1 else 2;\n"
                     "end A;\n"),
            "a.mo:3:15: error: '==' cannot compare A.Color with Integer\n"
            "    3 |   Real x = if Color.red == 1 then 1 else 2;\n"
            "      |               ^~~~~~~~~~~~~~\n");
}

TEST(FlattenErrorTest, RefusesBranchesOfDifferentTypes) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = if time > 1 then 1 else true;\n"
                     "end A;\n"),
            "a.mo:2:12: error: the branches have different types: Integer and "
            "Boolean\n"
            "    2 |   Real x = if time > 1 then 1 else true;\n"
            "      |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

TEST(FlattenErrorTest, RefusesANumberAsACondition) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = if time then 1 else 2;\n"
                     "end A;\n"),
            "a.mo:2:15: error: expected Boolean, found Real\n"
            "    2 |   Real x = if time then 1 else 2;\n"
            "      |               ^~~~\n");
}

TEST(FlattenErrorTest, RefusesAnEquationOfDifferentSizes) {
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

TEST(FlattenErrorTest, RefusesASumOfDifferentSizes) {
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

TEST(FlattenErrorTest, RefusesAProductOfMatricesThatDoNotFit) {
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

TEST(FlattenErrorTest, RefusesAnArrayOfDifferentSizes) {
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

TEST(FlattenErrorTest, RefusesAValueOfAnotherSize) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[2] = {1, 2, 3};\n"
                     "end A;\n"),
            "a.mo:2:15: error: 'x' is Real[2], its value Integer[3]\n"
            "    2 |   Real x[2] = {1, 2, 3};\n"
            "      |               ^~~~~~~~~\n");
}

TEST(FlattenErrorTest, RefusesASubscriptOutOfBounds) {
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

TEST(FlattenErrorTest, RefusesTooManySubscripts) {
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

TEST(FlattenErrorTest, RefusesARealSubscript) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[3] = {1, 2, 3};\n"
                     "  Real y = x[1.5];\n"
                     "end A;\n"),
            "a.mo:3:14: error: a subscript is Integer, not Real\n"
            "    3 |   Real y = x[1.5];\n"
            "      |              ^~~\n");
}

TEST(FlattenErrorTest, AsksForEachInAnArray) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[3](start=1) = {1, 2, 3};\n"
                     "  model B\n"
                     "    parameter Real k = 1;\n"
                     "  end B;\n"
                     "  B b[2](k=3);\n"
                     "end A;\n"),
            "a.mo:2:19: error: 'start' of 'x' is one value for an array[3]\n"
            "    2 |   Real x[3](start=1) = {1, 2, 3};\n"
            "      |                   ^ write 'each' before it to give all "
            "elements the same\n"
            "a.mo:6:10: error: this modifier of an array of components is "
            "Integer, not an array of one value each\n"
            "    6 |   B b[2](k=3);\n"
            "      |          ^ write 'each' before it to give all elements "
            "the same\n");
}

TEST(FlattenErrorTest, RefusesASizeWithoutAValue) {
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

TEST(FlattenErrorTest, RefusesASizeThatVaries) {
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

TEST(FlattenErrorTest, RefusesANegativeSize) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  parameter Integer n = 2;\n"
                     "  Real x[n - 3];\n"
                     "end A;\n"),
            "a.mo:3:10: error: the size of 'x' is negative: -1\n"
            "    3 |   Real x[n - 3];\n"
            "      |          ^~~~~\n");
}

TEST(FlattenErrorTest, RefusesASizeThatDependsOnItself) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[size(x, 1)];\n"
                     "end A;\n"),
            "a.mo:2:8: error: the declaration of 'x' depends on itself\n"
            "    2 |   Real x[size(x, 1)];\n"
            "      |        ^ its type, size or condition must not need its "
            "own value\n");
}

TEST(FlattenErrorTest, RefusesHugeArraysAtOnce) {
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

TEST(FlattenErrorTest, FindsAConstantThatDependsOnItself) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  constant Real a = b;\n"
                     "  constant Real b = a;\n"
                     "  Real x = a;\n"
                     "end A;\n"),
            "a.mo:2:17: error: the value of 'a' depends on itself\n"
            "    2 |   constant Real a = b;\n"
            "      |                 ^\n");
}

TEST(FlattenErrorTest, FindsAConstantWithoutAValue) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  constant Real k;\n"
                     "  Real x = k;\n"
                     "end A;\n"),
            "a.mo:2:17: error: constant 'k' has no value\n"
            "    2 |   constant Real k;\n"
            "      |                 ^ give it one where it is declared\n");
}

TEST(FlattenErrorTest, RefusesToModifyAFinalElement) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model B\n"
                     "    final parameter Real k = 1;\n"
                     "  end B;\n"
                     "  B b(k=2);\n"
                     "end A;\n"),
            "a.mo:5:7: error: cannot modify 'k': it is declared final\n"
            "    5 |   B b(k=2);\n"
            "      |       ^\n");
}

TEST(FlattenErrorTest, RefusesToRedeclareWhatIsNotReplaceable) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model B\n"
                     "    Real y = 1;\n"
                     "  end B;\n"
                     "  model C\n"
                     "    B b;\n"
                     "  end C;\n"
                     "  C c(redeclare B b);\n"
                     "end A;\n"),
            "a.mo:8:19: error: cannot redeclare 'b': it is not replaceable\n"
            "    8 |   C c(redeclare B b);\n"
            "      |                   ^ declare it replaceable\n");
}

TEST(FlattenErrorTest, AsksForAnInnerComponent) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  model B\n"
               "    outer Real g;\n"
               "    Real x = g;\n"
               "  end B;\n"
               "  B b;\n"
               "end A;\n"),
      "a.mo:3:16: error: no inner 'g' is declared around this outer component\n"
      "    3 |     outer Real g;\n"
      "      |                ^ declare 'inner' Real g in an enclosing "
      "model\n");
}

TEST(FlattenErrorTest, SaysThatAModelByItselfHasItsOwnOfWhatIsOuter) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  outer Real g;\n"
                     "  Real x = g;\n"
                     "end A;\n"),
            "a.mo:2:14: warning: no inner 'g' is declared around this outer "
            "component; the model takes one of its own\n"
            "    2 |   outer Real g;\n"
            "      |              ^ run it in a model that declares 'inner' "
            "Real g\n");
}

TEST(FlattenErrorTest, RefusesAComponentThatDoesNotExist) {
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

TEST(FlattenErrorTest, RefusesToConnectDifferentConnectors) {
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

TEST(FlattenErrorTest, RefusesToConnectWhatIsNoConnector) {
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

TEST(FlattenErrorTest, RefusesToConnectDifferentSizes) {
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

TEST(FlattenErrorTest, RefusesToConnectTwoOutputs) {
  EXPECT_EQ(ErrorsOf("model A\n"
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
                     "  connect(a.y, b.y);\n"
                     "end A;\n"),
            "a.mo:12:3: error: cannot connect a.y and b.y: both are outputs\n"
            "   12 |   connect(a.y, b.y);\n"
            "      |   ^~~~~~~~~~~~~~~~~\n");
}

TEST(FlattenErrorTest, FindsInputsThatNothingDrives) {
  EXPECT_EQ(ErrorsOf("model A\n"
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
                     "  connect(a.u, b.u);\n"
                     "end A;\n"),
            "a.mo:12:3: error: only inputs are connected here: nothing gives "
            "'a.u' a value\n"
            "   12 |   connect(a.u, b.u);\n"
            "      |   ^~~~~~~~~~~~~~~~~ connect an output to one of them\n");
}

TEST(FlattenErrorTest, ComparesTheBranchesOfAnIfEquation) {
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

TEST(FlattenErrorTest, AsksForAnElseInAnIfEquation) {
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

TEST(FlattenErrorTest, NamesExternalFunctionsAsNotSupported) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  function f\n"
               "    input Real u;\n"
               "    output Real y;\n"
               "  external \"C\" y = f(u);\n"
               "  end f;\n"
               "  Real x = f(1);\n"
               "end A;\n"),
      "a.mo:7:12: error: external functions are not supported yet: A.f is one\n"
      "    7 |   Real x = f(1);\n"
      "      |            ^~~~\n");
}

TEST(FlattenErrorTest, NamesAnOuterFunctionOfAFunctionThatHasNoInnerOne) {
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

TEST(FlattenErrorTest, NamesRecursiveFunctionsAsNotSupported) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  function f\n"
                     "    input Real u;\n"
                     "    output Real y;\n"
                     "  algorithm\n"
                     "    y := f(u - 1);\n"
                     "  end f;\n"
                     "  Real x = f(1);\n"
                     "end A;\n"),
            "a.mo:6:10: error: recursive functions are not supported yet: A.f "
            "calls itself\n"
            "    6 |     y := f(u - 1);\n"
            "      |          ^~~~~~~~\n");
}

TEST(FlattenErrorTest, RefusesToAssignToAnInput) {
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

TEST(FlattenErrorTest, RefusesToAssignToAParameter) {
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

TEST(FlattenErrorTest, RefusesAnArgumentOfAnotherSize) {
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

TEST(FlattenErrorTest, RefusesTooManyResults) {
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

TEST(FlattenErrorTest, StopsAConstantThatTakesForEver) {
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

TEST(FlattenErrorTest, ReportsAnAssertionThatFails) {
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

TEST(FlattenErrorTest, ReportsAWrongUnitAsAWarning) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x(unit=\"meterz\") = 1;\n"
                     "end A;\n"),
            "a.mo:2:15: warning: there is no unit 'meterz'\n"
            "    2 |   Real x(unit=\"meterz\") = 1;\n"
            "      |               ^~~~~~~~\n");
}

}  // namespace
}  // namespace orrery::modelica
