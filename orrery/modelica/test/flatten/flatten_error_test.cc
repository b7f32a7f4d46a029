#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::StartsWith;

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

TEST(FlattenErrorTest, RefusesOuterElementsOfConnectorsRecordsAndFunctions) {
  EXPECT_EQ(
      ErrorsOf("model A\n"
               "  connector C\n"
               "    outer Real e;\n"
               "    flow Real f;\n"
               "  end C;\n"
               "  C c, d;\n"
               "  inner Real e = 1;\n"
               "equation\n"
               "  connect(c, d);\n"
               "end A;\n"),
      "a.mo:3:16: error: 'e' cannot be outer: class A.C is a connector\n"
      "    3 |     outer Real e;\n"
      "      |                ^ take the outer one in the model around\n");
  EXPECT_THAT(
      ErrorsOf("model A\n"
               "  function f\n"
               "    input Real u;\n"
               "    output Real y;\n"
               "  protected\n"
               "    outer Real k;\n"
               "  algorithm\n"
               "    y := u + k;\n"
               "  end f;\n"
               "  inner Real k = 4;\n"
               "  Real x = f(2);\n"
               "end A;\n"),
      testing::HasSubstr("'k' cannot be outer: class A.f is a function"));
}

TEST(FlattenErrorTest, RefusesAValueOfAnOuterComponent) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model B\n"
                     "    outer Real g = 2;\n"
                     "  end B;\n"
                     "  inner Real g = 1;\n"
                     "  B b;\n"
                     "end A;\n"),
            "a.mo:3:20: error: cannot give the outer component 'b.g' a value: "
            "'g' has its own\n"
            "    3 |     outer Real g = 2;\n"
            "      |                    ^ give the value to 'g'\n");
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  model C\n"
                       "    parameter Real k = 1;\n"
                       "  end C;\n"
                       "  model B\n"
                       "    outer C c(k = 2);\n"
                       "  end B;\n"
                       "  inner C c;\n"
                       "  B b;\n"
                       "end A;\n"),
              testing::HasSubstr("a.mo:6:15: error: cannot give the outer "
                                 "component 'b.c' a value: 'c' has its own"));
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

TEST(FlattenErrorTest, TakesAValueOfTwoTypesOnce) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  type Acceleration = Real(unit=\"m/s2\");\n"
                     "  model B\n"
                     "    constant Acceleration g = 9.81;\n"
                     "  end B;\n"
                     "  extends B;\n"
                     "  constant Real g = 9.81;\n"
                     "  Real w = 2*g;\n"
                     "end A;\n"),
            "a.mo:7:17: warning: 'g' is declared twice in A, with the same "
            "value but another type; it is taken once (specification 3.6, "
            "section 5.6.1.4)\n"
            "    7 |   constant Real g = 9.81;\n"
            "      |                 ^ leave it out: it is also inherited\n");
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  model B\n"
                       "    constant Real g = 9.81;\n"
                       "  end B;\n"
                       "  extends B;\n"
                       "  constant Integer g = 9;\n"
                       "end A;\n"),
              StartsWith("a.mo:6:20: error: 'g' is declared twice in A"));
}

TEST(FlattenErrorTest, FindsAValueThatIsInheritedTwice) {
  EXPECT_EQ(ErrorsOf("package P\n"
                     "  model B\n"
                     "    Real x = 1;\n"
                     "  end B;\n"
                     "  model C\n"
                     "    Real x = 2;\n"
                     "  end C;\n"
                     "  model A\n"
                     "    extends B;\n"
                     "    extends C;\n"
                     "  end A;\n"
                     "end P;\n",
                     "P.A"),
            "a.mo:6:10: error: 'x' is declared twice in P.A\n"
            "    6 |     Real x = 2;\n"
            "      |          ^ it is also inherited\n");
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

TEST(FlattenErrorTest, AModelThatIsDefinedTwiceIsOneToChooseFrom) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x = 1;\n"
                     "end A;\n"
                     "model A\n"
                     "  Real x = 2;\n"
                     "end A;\n"),
            "a.mo:4:7: error: class 'A' is defined twice\n"
            "    4 | model A\n"
            "      |       ^ rename one of the two\n");
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

TEST(FlattenErrorTest, RefusesToRedeclareAFinalComponent) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model B\n"
                     "    Real y = 1;\n"
                     "  end B;\n"
                     "  model C\n"
                     "    final replaceable B b;\n"
                     "  end C;\n"
                     "  C c(redeclare B b);\n"
                     "end A;\n"),
            "a.mo:8:19: error: cannot redeclare 'b': it is declared final\n"
            "    8 |   C c(redeclare B b);\n"
            "      |                   ^\n");
}

TEST(FlattenErrorTest, RefusesToRedeclareAFinalClass) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model C\n"
                     "    final replaceable type T = Real;\n"
                     "    T x = 1;\n"
                     "  end C;\n"
                     "  C c(redeclare type T = Integer);\n"
                     "end A;\n"),
            "a.mo:6:22: error: cannot redeclare 'T': it is declared final in "
            "A.C\n"
            "    6 |   C c(redeclare type T = Integer);\n"
            "      |                      ^\n");
}

TEST(FlattenErrorTest, RefusesToChangeAFinalAttributeOfAType) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  type Length = Real(final unit=\"m\", min=0);\n"
                     "  type Way = Length(unit=\"km\");\n"
                     "  Length x(unit=\"m2\", min=1) = 1;\n"
                     "  Way y = 2;\n"
                     "end A;\n"),
            "a.mo:4:17: error: cannot give 'x' another 'unit': its type "
            "declares it final\n"
            "    4 |   Length x(unit=\"m2\", min=1) = 1;\n"
            "      |                 ^~~~\n"
            "a.mo:3:26: error: cannot give 'y' another 'unit': its type "
            "declares it final\n"
            "    3 |   type Way = Length(unit=\"km\");\n"
            "      |                          ^~~~\n");
}

TEST(FlattenErrorTest, RefusesAReturnInAModel) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x;\n"
                     "algorithm\n"
                     "  x := time;\n"
                     "  return;\n"
                     "end A;\n"),
            "a.mo:5:3: error: 'return' leaves a function: this is an "
            "algorithm of a model\n"
            "    5 |   return;\n"
            "      |   ^~~~~~ put what follows it under a condition\n");
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

TEST(FlattenErrorTest, RefusesAnInnerComponentOfAnotherType) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  model B\n"
                     "    outer Integer t;\n"
                     "    Real x = t;\n"
                     "  end B;\n"
                     "  inner Real t = 1.5;\n"
                     "  B b;\n"
                     "end A;\n"),
            "a.mo:3:11: error: 't', of type Real, cannot be the inner "
            "component of 'b.t', of type Integer\n"
            "    3 |     outer Integer t;\n"
            "      |           ^~~~~~~ declare both with one type\n");
}

TEST(FlattenErrorTest, RefusesAFlowVariableThatIsNoReal) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  connector C\n"
                     "    flow Integer n;\n"
                     "  end C;\n"
                     "  C c;\n"
                     "end A;\n"),
            "a.mo:3:10: error: 'c.n', of type Integer, cannot be a flow "
            "variable: only Reals add up to 0 where they are connected\n"
            "    3 |     flow Integer n;\n"
            "      |          ^~~~~~~ make it a Real, or leave 'flow' out\n");
}

}  // namespace
}  // namespace orrery::modelica
